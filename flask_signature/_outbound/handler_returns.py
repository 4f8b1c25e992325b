"""What the return annotation of an error handler says.

An annotation goes in, whether it names statuses comes out; the registration of error
handlers asks.
"""

from __future__ import annotations

import typing as t
from collections.abc import Hashable

from .._sentinel import STANDARD_ERROR
from .._signature.argument import EMPTY
from .._types.annotations import is_model, is_union, show_type, unwrap
from ..exceptions import SignatureError
from .annotation import read_returns
from .response_tuples import split_statuses


def names_model(annotation: t.Any, name: str, *, needs_status: bool) -> bool:
    """Whether a handler says what it sends, with which status.

    :param name: of the handler, for messages.
    :param needs_status: whether it has to say that, as an error handler.
    :raises SignatureError: if it has a model without a status that it needs.
    """
    if not isinstance(annotation, Hashable) or annotation is EMPTY:
        # "-> [str, int]" is no type, and Flask never looks at it.
        return False
    try:
        annotated = split_statuses(annotation)
    except SignatureError as error:
        raise SignatureError(f"the return annotation of {name} {error}") from None
    bare = EMPTY if annotated.bare is EMPTY else read_returns(annotated.bare).model
    model = None if bare is EMPTY else _find_model(bare)
    if model is not None and needs_status:
        shown = show_type(model)
        raise SignatureError(
            f"{name} is annotated with {shown!r}, but an error handler has no status of"
            f" its own. Write tuple[{shown}, Literal[409]], with the status that it"
            " sends."
        )
    return bool(annotated.by_status) or model is not None


def sends_standard_error(annotation: t.Any) -> bool:
    """Whether an annotation has a response in the format of the application."""
    metadata = getattr(annotation, "__metadata__", ())
    if any(item is STANDARD_ERROR for item in metadata):
        return True
    plain = unwrap(annotation)
    return is_union(plain) and any(map(sends_standard_error, t.get_args(plain)))


def _find_model(annotation: t.Any) -> t.Any:
    """A type with named fields in an annotation, ``None`` if there is none.

    Flask sends a dictionary, a list or a string without one.
    """
    plain = unwrap(annotation)
    if is_model(plain) or is_model(t.get_origin(plain)):
        return plain
    found = map(_find_model, t.get_args(plain))
    return next((tp for tp in found if tp is not None), None)
