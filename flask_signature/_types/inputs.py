"""What a request holds for a type: that which the validators before it take.

Annotations go in as they were written. Pydantic describes what a validator takes, and
an argument is read as it is described.
"""

from __future__ import annotations

import typing as t
from itertools import takewhile

from pydantic import BeforeValidator, Json, PlainValidator, WrapValidator
from pydantic_core import PydanticUndefined

from .annotations import alternatives, annotation_layers, is_anything
from .shapes import Shape, shape_of

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: What Pydantic calls before it reads a value, or in place of that.
VALIDATORS: t.Final = (BeforeValidator, PlainValidator, WrapValidator)

#: What stands for a type that is not known here.
UNKNOWN_INPUTS: t.Final = (str, t.ForwardRef, t.TypeVar, type(PydanticUndefined))


def unwrap_input(annotation: t.Any) -> t.Any:
    """An annotation without what is around it, or that which a validator in it takes.

    ``Annotated[Point, BeforeValidator(read, json_schema_input_type=str)]`` becomes
    ``str``.
    """
    *_, plain = _layers(annotation, [])
    return plain


def input_members(annotation: t.Any, taken: Sequence[t.Any] = ()) -> list[t.Any]:
    """The types that a request may hold: see :func:`.members`.

    :param taken: the validators in whose input the annotation is. An alias may contain
        itself.
    """
    taken = [*taken]
    *_, plain = _layers(annotation, taken)
    inside = alternatives(plain)
    found = [tp for item in inside for tp in input_members(item, taken)]
    return found if inside else [plain]


def unclear_validators(
    annotation: t.Any, taken: Sequence[t.Any] = ()
) -> Iterator[t.Any]:
    """The validators before a model that don't say what they take.

    It may be one value, or a dictionary of the model's fields.

    :param taken: see :func:`input_members`.
    """
    taken = [*taken]
    *layers, plain = _layers(annotation, taken)
    for layer in layers:
        for validator in _validators_of(layer):
            if is_input_known(validator):
                break
            yield validator
    for item in alternatives(plain):
        if Shape.MODEL in map(shape_of, input_members(item, taken)):
            yield from unclear_validators(item, taken)


def is_input_known(validator: t.Any) -> bool:
    """Whether a validator says what it takes: ``json_schema_input_type=str``."""
    tp = validator.json_schema_input_type
    return not (isinstance(tp, UNKNOWN_INPUTS) or is_anything(tp))


def _layers(annotation: t.Any, taken: list[t.Any]) -> Iterator[t.Any]:
    """The layers of an annotation, and then those of what a validator in it takes.

    :param taken: the validators of which that was done before; each is added.
    """
    for layer in annotation_layers(annotation):
        yield layer
        for validator in _validators_of(layer):
            if is_input_known(validator) and validator not in taken:
                taken.append(validator)
                yield from _layers(validator.json_schema_input_type, taken)
                return


def _validators_of(layer: t.Any) -> list[t.Any]:
    """The validators that stand in an ``Annotated``, in the order of their calls."""
    if t.get_origin(layer) is not t.Annotated:
        return []
    metadata = reversed(layer.__metadata__)
    # What stands before Json is given what that makes of the string.
    outside = takewhile(lambda item: Json not in (item, type(item)), metadata)
    return [item for item in outside if isinstance(item, VALIDATORS)]
