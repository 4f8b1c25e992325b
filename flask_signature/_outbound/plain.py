"""What Flask sends of values without a model.

An outbound plan goes in, a :class:`PlainBody` for each type of value comes out; the
description of a response asks for them.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from types import NoneType

from .._signature.argument import EMPTY
from .._types.annotations import is_union, unwrap
from .._types.strings import string_types
from .kinds import STREAMS, UNKNOWN_RETURN, return_kind_of
from .response_tuples import is_response_tuple

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from .kinds import ReturnKind
    from .plan import OutboundPlan


@dataclass(frozen=True, slots=True)
class PlainBody:
    """A body that Flask makes a response of.

    :param kind: of the value.
    :param is_str: whether it is a ``str``, or a stream of those.
    """

    kind: ReturnKind
    is_str: bool


def plain_bodies(plan: OutboundPlan) -> tuple[PlainBody, ...]:
    """What a view returns that Flask makes responses of, as its annotation says.

    A type of which Flask knows nothing may be anything, and so may a value without an
    annotation; ``None`` has no body. Beside a model these are the types that are sent
    as they are. A stream is none of them where the plan says how its items are written.
    """
    types = plan.passthrough if plan.serializer is not None else [plan.annotation]
    bodies = [
        PlainBody(return_kind_of(tp) or UNKNOWN_RETURN, is_str=_holds_str(tp))
        for annotation in types
        for tp in _plain_bodies(annotation)
        if plan.stream is None or (t.get_origin(tp) or tp) not in STREAMS
    ]
    return tuple(dict.fromkeys(bodies))


def _plain_bodies(annotation: t.Any) -> Iterator[t.Any]:
    """The types of body in an annotation, unions and Flask's tuples taken apart."""
    plain = t.Any if annotation is EMPTY else unwrap(annotation)
    if is_union(plain):
        for member in t.get_args(plain):
            yield from _plain_bodies(member)
    elif is_response_tuple(plain):
        yield from _plain_bodies(t.get_args(plain)[0])
    elif plain not in (None, NoneType):
        yield plain


def _holds_str(tp: t.Any) -> bool:
    if t.get_origin(tp) in STREAMS:
        tp = t.get_args(tp)[0]
    kinds = string_types(tp)
    return bool(kinds) and all(issubclass(kind, str) for kind in kinds)
