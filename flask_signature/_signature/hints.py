"""The annotations of a view, resolved, or the error that says which name is missing."""

from __future__ import annotations

import inspect
import re
import sys
import types
import typing as t

from werkzeug.datastructures import Headers
from werkzeug.wrappers import Response

from .._types.annotations import map_arguments
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from .unwrap import ViewCallable

#: What the aliases of ``flask.typing`` name without defining it when the program runs.
FLASK_NAMES: t.Final[dict[str, t.Any]] = {
    "Headers": Headers,
    "Response": Response,
    "WSGIApplication": t.Callable[..., t.Any],
}


def read_hints(
    view_callable: ViewCallable,
    namespace: Mapping[str, t.Any] | None,
    *,
    registered: str,
) -> dict[str, t.Any]:
    """The annotations of a view, resolved.

    :param namespace: local names that annotations may use.
    :param registered: what is being registered, for a message: ``"blueprint"``.
    :raises SignatureError: if one names something that does not exist at run time.
    """
    try:
        return _resolve(view_callable.function, dict(namespace or {}))
    except NameError as error:
        message = _missing_name(view_callable, error.name or str(error), registered)
        raise SignatureError(message) from error
    except (AttributeError, SyntaxError, TypeError) as error:
        raise SignatureError(
            f"an annotation of {view_callable.name} is no type:"
            f" {str(error).rstrip('.')}."
        ) from error


def _resolve(
    function: Callable[..., t.Any], namespace: dict[str, t.Any]
) -> dict[str, t.Any]:
    names = getattr(function, "__globals__", {})
    try:
        return _resolve_among(names, function, namespace)
    except NameError:
        return _resolve_among({**FLASK_NAMES, **names}, function, namespace)


def _resolve_among(
    names: dict[str, t.Any],
    function: Callable[..., t.Any],
    namespace: dict[str, t.Any],
) -> dict[str, t.Any]:
    if sys.version_info >= (3, 11):
        return t.get_type_hints(function, names, namespace, include_extras=True)
    # Python 3.10 makes an annotation optional where the default is None. It gets an
    # object without defaults instead. Nor does it resolve the string in list["Item"].
    hints: Mapping[str, t.Any] = _annotation_strings(function)
    for _ in range(2):
        bare = types.SimpleNamespace(
            __annotations__={
                name: _with_references(hint) for name, hint in hints.items()
            }
        )
        hints = t.get_type_hints(bare, names, namespace, include_extras=True)
    return dict(hints)


def _with_references(annotation: t.Any) -> t.Any:
    """The annotation with a ``ForwardRef`` for each string in it.

    ``list["Item"]`` becomes ``list[ForwardRef("Item")]``.
    """
    if isinstance(annotation, types.GenericAlias):
        return map_arguments(annotation, _reference)
    return (
        map_arguments(annotation, _with_references)
        if t.get_args(annotation)
        else annotation
    )


def _reference(argument: t.Any) -> t.Any:
    return (
        t.ForwardRef(argument)
        if isinstance(argument, str)
        else _with_references(argument)
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
    return (
        f"{where} {view_callable.name} names {missing!r}, which is not defined when the"
        f" {registered} is registered. {_advise_on_name(view_callable, missing)}"
    )


def _advise_on_name(view_callable: ViewCallable, missing: str) -> str:
    if _is_defined_below(view_callable.function, missing):
        return "Define it above the view, or register the view with a Blueprint."
    return "Import it outside 'if TYPE_CHECKING'."


def _is_defined_below(function: Callable[..., t.Any], name: str) -> bool:
    try:
        source = inspect.getsource(sys.modules[function.__module__])
    except (KeyError, OSError, TypeError):
        return False
    definition = rf"^(?:class|type)\s+{re.escape(name)}\b|^{re.escape(name)}\s*[:=]"
    return re.search(definition, source, re.MULTILINE) is not None


def _annotation_strings(function: Callable[..., t.Any]) -> Mapping[str, t.Any]:
    """The annotations without a look at what they name, which may not exist yet."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(
            function, format=annotationlib.Format.STRING
        )
    return inspect.get_annotations(function)
