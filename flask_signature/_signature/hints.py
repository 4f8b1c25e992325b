"""The annotations of a view, resolved, or the reason why one can't be."""

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

    from .subject import Subject

#: What the aliases of ``flask.typing`` name without defining it when the program runs.
FLASKS_NAMES: t.Final[dict[str, t.Any]] = {
    "Headers": Headers,
    "Response": Response,
    "WSGIApplication": t.Callable[..., t.Any],
}


def read_hints(
    subject: Subject, namespace: Mapping[str, t.Any] | None, *, registered: str
) -> dict[str, t.Any]:
    """The annotations of a view, resolved.

    :param namespace: local names that annotations may use.
    :param registered: what is being registered, for a message: ``"blueprint"``.
    :raises SignatureError: if one names something that does not exist at run time.
    """
    try:
        return _resolve(subject.function, dict(namespace or {}))
    except NameError as error:
        message = _missing_name(subject, error.name or str(error), registered)
        raise SignatureError(message) from error
    except (AttributeError, SyntaxError, TypeError) as error:
        raise SignatureError(
            f"an annotation of {subject.name} is no type: {str(error).rstrip('.')}."
        ) from error


def _resolve(
    function: Callable[..., t.Any], namespace: dict[str, t.Any]
) -> dict[str, t.Any]:
    names = getattr(function, "__globals__", {})
    try:
        return _resolve_among(names, function, namespace)
    except NameError:
        return _resolve_among({**FLASKS_NAMES, **names}, function, namespace)


def _resolve_among(
    names: dict[str, t.Any],
    function: Callable[..., t.Any],
    namespace: dict[str, t.Any],
) -> dict[str, t.Any]:
    if sys.version_info >= (3, 11):
        return t.get_type_hints(function, names, namespace, include_extras=True)
    # Python 3.10 makes an annotation optional where the default is None. It can't where
    # it sees no defaults. Nor does it resolve the text in list["Item"].
    hints: Mapping[str, t.Any] = _written(function)
    for _ in range(2):
        bare = types.SimpleNamespace(
            __annotations__={name: _refer(hint) for name, hint in hints.items()}
        )
        hints = t.get_type_hints(bare, names, namespace, include_extras=True)
    return dict(hints)


def _refer(annotation: t.Any) -> t.Any:
    """The annotation with references for texts: ``list["Item"]`` has one."""
    if isinstance(annotation, types.GenericAlias):
        return map_arguments(annotation, _refer_to_text)
    return map_arguments(annotation, _refer) if t.get_args(annotation) else annotation


def _refer_to_text(argument: t.Any) -> t.Any:
    return t.ForwardRef(argument) if isinstance(argument, str) else _refer(argument)


def _missing_name(subject: Subject, missing: str, registered: str) -> str:
    word = re.compile(rf"\b{re.escape(missing)}\b")
    texts = {name: str(text) for name, text in _written(subject.function).items()}
    found = [name for name, text in texts.items() if word.search(text)]
    where = f"the annotation of {found[0]!r} in" if found else "an annotation of"
    if found == ["return"]:
        where = "the return annotation of"
    return (
        f"{where} {subject.name} names {missing!r}, which is not defined when the"
        f" {registered} is registered. {_advice(subject, missing)}"
    )


def _advice(subject: Subject, missing: str) -> str:
    if _is_defined_below(subject.function, missing):
        return "Define it above the view, or register the view with a Blueprint."
    return "Import it outside 'if TYPE_CHECKING'."


def _is_defined_below(function: Callable[..., t.Any], name: str) -> bool:
    try:
        source = inspect.getsource(sys.modules[function.__module__])
    except (KeyError, OSError, TypeError):
        return False
    definition = rf"^(?:class|type)\s+{re.escape(name)}\b|^{re.escape(name)}\s*[:=]"
    return re.search(definition, source, re.MULTILINE) is not None


def _written(function: Callable[..., t.Any]) -> Mapping[str, t.Any]:
    """The annotations as they are written, which may name what does not exist."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(
            function, format=annotationlib.Format.STRING
        )
    return inspect.get_annotations(function)
