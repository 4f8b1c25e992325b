"""The annotations of a view, resolved, or the error that says which name is missing."""

from __future__ import annotations

import inspect
import re
import sys
import types
import typing as t
from contextlib import suppress

from flask import typing as ft
from werkzeug.datastructures import Headers
from werkzeug.wrappers import Response

from .._common import UNSET
from .._types.annotations import map_arguments
from .._types.problems import advise_on_name, author_error, is_defined_in, source_of
from ..dependencies import DependencyMarker, InjectedArgument
from ..exceptions import SignatureError
from .argument import EMPTY
from .views import unwrap_view

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .views import ViewCallable

#: What to write in a view that is decorated, whose argument raises an error.
ADVICE_IF_PASSED: t.Final = "Declare what a decorator passes with Injected()."

#: What an annotation that can't be resolved raises.
PROBLEMS: t.Final = (NameError, AttributeError, SyntaxError, TypeError)


def read_hints(
    view_callable: ViewCallable,
    namespace: Mapping[str, t.Any] | None,
    *,
    registered: str,
) -> tuple[dict[str, t.Any], str]:
    """The annotations of a view, resolved, and the problem of the one that is left out.

    The return annotation of a class-based view may be left out: the class may be of
    another package. The problem is ``""`` where all are resolved.

    :param namespace: local names that annotations may use.
    :param registered: what is being registered, for a message: ``"blueprint"``.
    :raises SignatureError: if one names something that does not exist at run time.
    """
    function, names = view_callable.function, dict(namespace or {})
    with suppress(*PROBLEMS):
        annotations = inspect.get_annotations(function)
        return _evaluate(function, annotations, namespace=names), ""
    arguments, returns = _split_return(function)
    arguments = _without_injected(view_callable, arguments)
    hints: dict[str, t.Any] = {}
    try:
        hints |= _evaluate(function, arguments, namespace=names)
        return hints | _resolve_return(function, returns, names), ""
    except PROBLEMS as error:
        message = _problem(view_callable, error, registered)
        if hints.keys() == arguments.keys() and view_callable.view_class is not None:
            return hints, message
        raise SignatureError(message) from author_error(error)


def is_return_annotated(function: Callable[..., t.Any]) -> bool:
    """Whether a function has a return annotation, behind its decorators."""
    inner = unwrap_view(function, "").function
    return "return" in _annotation_strings(inner)


def return_hint(
    view_callable: ViewCallable,
    namespace: Mapping[str, t.Any] | None,
    *,
    registered: str,
) -> t.Any:
    """The return annotation of an error handler, resolved; ``EMPTY`` without one.

    The parameters are those of :func:`read_hints`.

    :raises SignatureError: if it has a status, and names something that does not exist
        at run time. Without, it is one of Flask's, whatever it names.
    """
    function = view_callable.function
    _, returns = _split_return(function)
    if not returns:
        return EMPTY
    try:
        found = _resolve_return(function, returns, dict(namespace or {}))
    except PROBLEMS as error:
        if "Literal[" not in str(_annotation_strings(function)["return"]):
            return EMPTY
        message = _problem(view_callable, error, registered)
        raise SignatureError(message) from author_error(error)
    return found["return"]


def _without_injected(
    view_callable: ViewCallable, annotations: Mapping[str, t.Any]
) -> dict[str, t.Any]:
    """The annotations without those of arguments that are not read from a request."""
    parameters = view_callable.signature.parameters
    injected = {
        name
        for name, parameter in parameters.items()
        if isinstance(parameter.default, InjectedArgument)
        or (
            isinstance(parameter.default, DependencyMarker)
            and parameter.default.dependency is not UNSET
        )
    }
    return {name: annotations[name] for name in annotations.keys() - injected}


def known_hints(function: Callable[..., t.Any]) -> dict[str, t.Any]:
    """The annotations of a function, as far as they are resolved."""
    found: dict[str, t.Any] = {}
    arguments, returns = _split_return(function)
    for name, annotation in (*arguments.items(), *returns.items()):
        with suppress(*PROBLEMS):
            found |= _evaluate(function, {name: annotation}, namespace={})
    return found


def _split_return(
    function: Callable[..., t.Any],
) -> tuple[dict[str, t.Any], dict[str, t.Any]]:
    """The annotations of the arguments, and that of the return value, if any."""
    if sys.version_info >= (3, 14):
        import annotationlib

        # Python 3.14 evaluates all of them at once, or none.
        found = annotationlib.get_annotations(
            function, format=annotationlib.Format.FORWARDREF
        )
    else:
        found = inspect.get_annotations(function)
    returns = {"return": found.pop("return")} if "return" in found else {}
    return found, returns


def _resolve_return(
    function: Callable[..., t.Any],
    returns: dict[str, t.Any],
    namespace: dict[str, t.Any],
) -> dict[str, t.Any]:
    """The return annotation, with the names of Flask that its module lacks."""
    known: dict[str, t.Any] = {}
    while True:
        try:
            return _evaluate(function, returns, namespace=namespace, known=known)
        except NameError as error:
            name, written = error.name or "", _annotation_strings(function)["return"]
            found = _find_flask_name(name, function, written)
            if found is None or name in known:
                raise
            known[name] = found


def _evaluate(
    function: Callable[..., t.Any],
    annotations: Mapping[str, t.Any],
    *,
    namespace: dict[str, t.Any],
    known: Mapping[str, t.Any] = types.MappingProxyType({}),
) -> dict[str, t.Any]:
    """Some annotations of a function, resolved.

    :param known: names for what the module of the function does not define.
    """
    names = {**known, **getattr(function, "__globals__", {})}
    # Python 3.10 makes an annotation optional where the default is None. It gets an
    # object without defaults instead. Nor does it resolve the string in list["Item"].
    is_old = sys.version_info < (3, 11)
    hints = annotations
    for _ in range(2 if is_old else 1):
        bare = types.SimpleNamespace(
            __annotations__={
                name: _with_references(hint) if is_old else hint
                for name, hint in hints.items()
            },
            __type_params__=getattr(function, "__type_params__", ()),
        )
        hints = t.get_type_hints(bare, names, namespace, include_extras=True)
    return dict(hints)


def _with_references(annotation: t.Any) -> t.Any:
    """The annotation with a ``ForwardRef`` for each string in it.

    ``list["Item"]`` becomes ``list[ForwardRef("Item")]``.
    """
    if isinstance(annotation, str):
        return t.ForwardRef(annotation)
    is_literal = t.get_origin(annotation) is t.Literal
    return annotation if is_literal else map_arguments(annotation, _with_references)


def _problem(view_callable: ViewCallable, error: Exception, registered: str) -> str:
    """Why an annotation can't be resolved, and what to write instead."""
    if isinstance(error, NameError):
        return _missing_name(view_callable, error.name or str(error), registered)
    return (
        f"an annotation of {view_callable.name} is no type: {str(error).rstrip('.')}."
    )


def _missing_name(view_callable: ViewCallable, missing: str, registered: str) -> str:
    word = re.compile(rf"\b{re.escape(missing)}\b")
    strings = {
        name: str(string)
        for name, string in _annotation_strings(view_callable.function).items()
    }
    found = [name for name, string in strings.items() if word.search(string)]
    where = f"the annotation of {found[0]!r} in" if found else "an annotation of"
    if found == ["return"]:
        where = "the return annotation of"
    advice = advise_on_name(view_callable.function, missing)
    if view_callable.wrapped and found != ["return"]:
        advice = f"{advice} {ADVICE_IF_PASSED}"
    return (
        f"{where} {view_callable.name} names {missing!r}, which is not defined when the"
        f" {registered} is registered. {advice}"
    )


def _annotation_strings(function: Callable[..., t.Any]) -> Mapping[str, t.Any]:
    """The annotations without a look at what they name, which may not exist yet."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(
            function, format=annotationlib.Format.STRING
        )
    return inspect.get_annotations(function)


#: The aliases of ``flask.typing`` for a return value and its parts, which may be
#: imported for type checkers alone.
RETURN_ALIASES: t.Final[dict[str, t.Any]] = {
    name: getattr(ft, name)
    for name in ("ResponseReturnValue", "ResponseValue", "HeadersValue", "HeaderValue")
    if hasattr(ft, name)
}

#: What they name without defining it when the program runs.
NAMED_BY_ALIASES: t.Final[dict[str, t.Any]] = {
    "Headers": Headers,
    "Response": Response,
    "WSGIApplication": t.Callable[..., t.Any],
}

#: The types by their names.
FLASK_TYPES: t.Final[dict[str, t.Any]] = {
    **t.get_type_hints(
        types.SimpleNamespace(__annotations__=RETURN_ALIASES), NAMED_BY_ALIASES
    ),
    **NAMED_BY_ALIASES,
    "BaseResponse": Response,
    "WerkzeugResponse": Response,
}

#: The modules that are before the dot, as they are usually imported.
FLASK_MODULES: t.Final = frozenset(
    {"flask", "flask_typing", "ft", "typing", "werkzeug", "wrappers"}
)

#: An import from elsewhere, to be followed by a name.
IMPORT_OF_OTHERS: t.Final = (
    r"^[ \t]*from[ \t]+(?!(?:flask|werkzeug|_typeshed|wsgiref)\b)\S+[ \t]+import\b"
    r"(?:[ \t]*\([^)]*|[^\n]*)"
)


class _FlaskModule:
    """In place of a module of Flask or Werkzeug that is not imported."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> t.Any:
        if name in FLASK_TYPES:
            return FLASK_TYPES[name]
        if name in FLASK_MODULES or name == "response":
            return self
        if name.startswith("__"):
            raise AttributeError(name)
        # Another module is meant, which is missing.
        raise NameError(f"name {self._name!r} is not defined", name=self._name)


def _find_flask_name(
    name: str, function: t.Callable[..., t.Any], written: t.Any
) -> t.Any:
    """What a name means to Flask, ``None`` where it means nothing, or something else.

    :param function: that uses the name. Its module may define it later, or import it
        from elsewhere for type checkers.
    :param written: the return annotation, whose parts may be strings.
    """
    if name not in FLASK_TYPES and name not in FLASK_MODULES:
        return None
    text, word = str(written), rf"\b{name}\b"
    for alias in RETURN_ALIASES.values():
        text = text.replace(str(alias), "")
    package = function.__module__.partition(".")[0]
    if package not in ("flask", "werkzeug") and re.search(word, text):
        source = source_of(function)
        is_imported = re.search(IMPORT_OF_OTHERS + word, source, re.MULTILINE)
        if is_imported or is_defined_in(source, name):
            return None
    return FLASK_TYPES[name] if name in FLASK_TYPES else _FlaskModule(name)
