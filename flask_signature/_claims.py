"""The names that arguments take in a request: each value is read by one of them."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ._flat import field_paths
from ._flat import fields_of
from ._flat import models_of
from ._signature.argument import alias_paths
from ._signature.argument import request_name
from ._sources import environ_key
from .exceptions import SignatureError
from .params import Location

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping
    from collections.abc import Sequence

    from ._flat import Flat
    from ._signature.argument import Argument


@dataclass(frozen=True, slots=True)
class Claim:
    """A value of the request that is taken by an argument, or a field of its model.

    :param argument: the name of the argument.
    :param field: the name of the field, empty where the argument takes it itself.
    :param path: the name of the value and, after it, what an ``AliasPath`` has.
    """

    argument: str
    field: str
    path: tuple[str | int, ...]

    def __str__(self) -> str:
        owner = repr(self.argument)
        return f"the field {self.field!r} of {owner}" if self.field else owner

    def overlaps(self, other: Claim) -> bool:
        """Whether one value, named alike, is or holds that of the other."""
        one, two = self.path[1:], other.path[1:]
        shorter = min(len(one), len(two))
        return one[:shorter] == two[:shorter]


def refuse_shared_names(
    view: str, arguments: Sequence[Argument], flats: Mapping[str, Flat]
) -> None:
    """Refuse two arguments that read the same value.

    :param flats: where the arguments outside of a body are found, by name.
    :raises SignatureError: if two of one location have a name in common, be it an
        alias, one of several, or that of a model's field.
    """
    if len({_part(argument.location) for argument in arguments}) == len(arguments):
        return
    taken: dict[tuple[str, str], list[Claim]] = {}
    for argument in arguments:
        part = _part(argument.location)
        for claim in _claims(argument, flats.get(argument.name)):
            others = taken.setdefault((part, _spelled(argument.location, claim)), [])
            for other in others:
                if other.argument != claim.argument and claim.overlaps(other):
                    raise SignatureError(_message(view, part, other, claim))
            others.append(claim)


def _claims(argument: Argument, flat: Flat | None) -> Iterator[Claim]:
    if flat is None or not flat.is_model:
        for path in alias_paths(argument.field) or [[request_name(argument)]]:
            yield Claim(argument.name, "", tuple(path))
        return
    for model in models_of(argument):
        for name, field in fields_of(argument, model).items():
            for _, path in field_paths(argument, model, name, field):
                yield Claim(argument.name, name, tuple(path))


def _part(location: Location) -> str:
    # The texts and the files of a form are in one set of names.
    return Location.FORM.value if location is Location.FILE else location.value


def _spelled(location: Location, claim: Claim) -> str:
    name = str(claim.path[0])
    return environ_key(name) if location is Location.HEADER else name


def _message(view: str, part: str, one: Claim, two: Claim) -> str:
    return (
        f"{one} and {two} of {view} are both read from {two.path[0]!r} of the {part}."
        f" {_advice(one, two)}"
    )


def _advice(one: Claim, two: Claim) -> str:
    if one.field and two.field:
        return "Give one of them another alias, or read both from one model."
    if not one.field and not two.field:
        return "Give one of them another alias."
    model, scalar = (one, two) if one.field else (two, one)
    return (
        f"Remove {scalar.argument!r} and use '{model.argument}.{model.field}', or give"
        " one of them another alias."
    )
