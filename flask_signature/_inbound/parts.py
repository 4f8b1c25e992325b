"""What reads the arguments outside of a JSON body: bindings, sources and a validator.

Arguments go in, what an inbound plan reads them with comes out.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType

from pydantic import BeforeValidator, Field

from .._once import name_set
from .._types.adapters import PYDANTIC_ERRORS
from ..params import Location
from .adapters import (
    MAX_SHARED,
    annotated_type,
    check_constraints,
    check_types,
    keywords_adapter,
    shared_adapter,
    shared_key,
)
from .binding import Binding, bind_argument
from .limits import BoundedValidator
from .locations import FORM_LOCATIONS, LOCATIONS, Source

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from .._signature.argument import Argument
    from .._types.adapters import Adapter

    #: The names of a location that something else reads.
    KnownNames: t.TypeAlias = Mapping[Location, frozenset[str]]


NO_NAMES: t.Final = name_set(())

#: Nothing else reads names of the request.
NOTHING_KNOWN: t.Final[KnownNames] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Parts:
    """What reads the arguments outside of a JSON body: see :class:`InboundPlan`."""

    bindings: Mapping[str, Binding]
    sources: tuple[Source, ...]
    validator: BoundedValidator | None


#: What reads the arguments of other views, by all that makes a difference for it.
_known_parts: dict[Hashable, Parts] = {}


def parts_of(
    view: str, arguments: Sequence[Argument], known: KnownNames = NOTHING_KNOWN
) -> Parts:
    """What reads some arguments, the same for views that declare them alike.

    :param known: names that something else reads.
    :raises SignatureError: if an argument can't be read.
    """
    types = [shared_key(item) for item in arguments]
    # Not every option of a marker is among those of its field.
    options = [
        (
            *(item.key, item.name, item.location, item.marker.convert_underscores),
            *(item.marker.style, item.marker.content_types),
        )
        for item in arguments
    ]
    key = (*types, *options, *known.items())
    parts = _known_parts.get(key)
    if parts is None:
        bindings = {item.key: bind_argument(item, view) for item in arguments}
        parts = compile_parts(view, arguments, bindings, known=known)
        if None not in types and len(_known_parts) < MAX_SHARED:
            _known_parts[key] = parts
    return parts


def compile_parts(
    view: str,
    arguments: Sequence[Argument],
    bindings: Mapping[str, Binding],
    *,
    passed: Collection[str] = NO_NAMES,
    known: KnownNames,
) -> Parts:
    """What reads arguments, but those that are passed.

    :param passed: the names of those that somebody else supplies.
    :param known: names that something else reads.
    :raises SignatureError: if the type of one can't be read.
    """
    read = [item for item in arguments if item.key not in passed]
    sources = _compile_sources(arguments, bindings, passed=passed, known=known)
    if not read:
        return Parts(bindings, sources, None)
    adapter = _compile_adapter(view, read, bindings)
    return Parts(bindings, sources, BoundedValidator(adapter))


def _compile_adapter(
    view: str, arguments: Sequence[Argument], bindings: Mapping[str, Binding]
) -> Adapter:
    """The adapter of the arguments outside of a JSON body."""
    if not any(_path_conversion(item, bindings[item.key]) for item in arguments):
        aliases = {item.key: bindings[item.key].alias for item in arguments}
        # The error says which argument Pydantic can't read.
        with suppress(*PYDANTIC_ERRORS):
            shared = shared_adapter(arguments, aliases)
            if shared is not None:
                return shared
    bound = {item.key: _bound_type(item, bindings[item.key]) for item in arguments}
    for argument in arguments:
        check_constraints(argument)
    own = keywords_adapter(arguments, bound)
    # No type that is shared is among those that are refused.
    check_types(view, own)
    return own


def _path_conversion(
    argument: Argument, binding: Binding
) -> Callable[[t.Any], t.Any] | None:
    """The conversion of a value of the URL, which Flask reads and no reader of ours."""
    if argument.location is not Location.PATH or not binding.fields:
        return None
    return binding.fields[0].convert


def _bound_type(argument: Argument, binding: Binding) -> t.Any:
    alias = Field(validation_alias=binding.alias)
    convert = _path_conversion(argument, binding)
    if convert is not None:
        return annotated_type(argument, BeforeValidator(convert), alias)
    return annotated_type(argument, alias)


def _compile_sources(
    arguments: Sequence[Argument],
    bindings: Mapping[str, Binding],
    *,
    passed: Collection[str],
    known: KnownNames,
) -> tuple[Source, ...]:
    """The sources of some arguments, one for each part of the input."""
    parts: dict[str, list[Argument]] = {}
    for argument in arguments:
        if argument.location is not Location.PATH and argument.key not in passed:
            parts.setdefault(bindings[argument.key].source, []).append(argument)
    compiled = []
    for part, members in parts.items():
        found = [bindings[argument.key] for argument in members]
        location = members[0].location
        compile_reader = LOCATIONS[location].compile_reader
        assert compile_reader is not None
        own = {item.key for item in members}
        others = [item for item in arguments if item.key not in own]
        read = compile_reader(
            [field for binding in found for field in binding.fields],
            reads_all_names=any(binding.reads_all_names for binding in found),
            ignored=_names_of(part, others, bindings) | known.get(location, NO_NAMES),
        )
        optional = found[0].is_model and not members[0].field.is_required()
        compiled.append(Source(part, read, optional))
    return tuple(compiled)


def _names_of(
    part: str, others: Sequence[Argument], bindings: Mapping[str, Binding]
) -> frozenset[str]:
    """The names of arguments beside a part, which are no extra fields of a model."""
    location = Location(part.partition("#")[0])
    shared = FORM_LOCATIONS if location in FORM_LOCATIONS else {location}
    return frozenset(
        field.name_or_prefix
        for argument in others
        if argument.location in shared
        for field in bindings[argument.key].fields
    )
