"""The variables of a rule and the arguments that take them, checked together."""

from __future__ import annotations

import typing as t
from dataclasses import replace
from uuid import UUID

from werkzeug.routing import (
    AnyConverter,
    FloatConverter,
    IntegerConverter,
    PathConverter,
    UnicodeConverter,
    UUIDConverter,
)

from .._signature.argument import path_name
from .._types.annotations import show_type
from .._types.argument_type import read_type
from .._types.instances import accept_instances
from ..exceptions import SignatureError
from ..params import Location

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .._routing.path_template import PathTemplate
    from .._signature.argument import Signature

#: What the converters of Werkzeug make. A custom converter may make anything.
CONVERTER_TYPES: t.Final[dict[type, type]] = {
    UnicodeConverter: str,
    PathConverter: str,
    AnyConverter: str,
    IntegerConverter: int,
    FloatConverter: float,
    UUIDConverter: UUID,
}


def fit_path(
    signature: Signature, template: PathTemplate
) -> tuple[Signature, dict[str, type]]:
    """The signature whose arguments accept what custom converters make.

    Also the types of what the other converters make: ``{"user_id": int}``.

    :raises SignatureError: if no value of a converter fits the type of its argument.
    """
    check_converters(signature, template)
    provided_types = converter_types(template)
    return _accept_instances(signature, template, provided_types), provided_types


def converter_types(template: PathTemplate) -> dict[str, type]:
    """The types of what the converters make, by variable, without custom converters."""
    return {
        name: CONVERTER_TYPES[type(converter)]
        for name, converter in template.converters.items()
        if type(converter) in CONVERTER_TYPES
    }


def _accept_instances(
    signature: Signature, template: PathTemplate, provided_types: Mapping[str, type]
) -> Signature:
    """The signature with arguments that accept what a custom converter makes.

    Such a converter may look up an object of any class, such as one of an ORM.

    :param provided_types: of what the other converters make.
    """
    custom = template.converters.keys() - provided_types.keys()
    if not custom:
        return signature
    arguments = [
        replace(argument, type=read_type(accept_instances(argument.type.annotation)))
        if argument.location is Location.PATH and path_name(argument) in custom
        else argument
        for argument in signature.arguments
    ]
    return replace(signature, arguments=tuple(arguments))


#: The types that no value of a converter fits, by what the converter makes.
IMPOSSIBLE: t.Final[dict[type, tuple[tuple[type, ...], str]]] = {
    int: ((str, bytes, UUID), "no integer"),
    float: ((str, bytes, UUID), "no float"),
    UUID: ((str, bytes, int, float, bool), "no UUID"),
}


def check_converters(signature: Signature, template: PathTemplate) -> None:
    """Refuse an argument whose type no value of its converter fits.

    :raises SignatureError: if there is one, since every request would fail.
    """
    for argument in signature.arguments:
        if argument.location is not Location.PATH:
            continue
        variable = path_name(argument)
        converter = template.converters.get(variable)
        provides = CONVERTER_TYPES.get(type(converter), object)
        if provides not in IMPOSSIBLE:
            continue
        types, no_value = IMPOSSIBLE[provides]
        if argument.field.metadata or not all(
            tp in types for tp in argument.type.members
        ):
            continue
        shown = show_type(argument.type.annotation)
        raise SignatureError(
            f"the rule converts {variable!r} with {provides.__name__.lower()!r}, but"
            f" {argument.owner} declares '{argument.name}: {shown}', and"
            f" {no_value} is {_article(shown)} {shown}."
            f" {_other_converter(variable, shown)}"
        )


#: The converters of Werkzeug by the types of what they make, as messages show them.
CONVERTERS_OF_TYPES: t.Final = {
    "UUID": "uuid",
    "float": "float",
    "int": "int",
    "str": "string",
}


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeioAEIO" else "a"


def _other_converter(name: str, shown: str) -> str:
    converter = CONVERTERS_OF_TYPES.get(shown)
    if converter is None:
        return "Change the annotation."
    return f"Use '<{converter}:{name}>' or change the annotation."
