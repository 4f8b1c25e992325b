"""What a URL provides to a view, held against what the view takes from it."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import replace
from uuid import UUID

from pydantic import TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError
from pydantic_core import core_schema
from werkzeug.routing import AnyConverter
from werkzeug.routing import FloatConverter
from werkzeug.routing import IntegerConverter
from werkzeug.routing import PathConverter
from werkzeug.routing import UnicodeConverter
from werkzeug.routing import UUIDConverter

from ._signature.argument import path_name
from ._signature.unwrap import takes_any_keyword
from ._types.annotations import Shape
from ._types.annotations import is_class
from ._types.annotations import is_union
from ._types.annotations import map_arguments
from ._types.annotations import members
from ._types.annotations import shape_of
from ._types.annotations import show_type
from ._types.annotations import unwrap
from .exceptions import SignatureError
from .params import Location

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import GetCoreSchemaHandler

    from ._routing.path_template import PathTemplate
    from ._signature.argument import Signature
    from ._signature.unwrap import ViewCallable

#: What the converters of Werkzeug provide. One of an application's own may do anything.
PROVIDES: t.Final[dict[type, type]] = {
    UnicodeConverter: str,
    PathConverter: str,
    AnyConverter: str,
    IntegerConverter: int,
    FloatConverter: float,
    UUIDConverter: UUID,
}


def proven_types(template: PathTemplate) -> dict[str, type]:
    """The type of what each converter provides, where Werkzeug says so."""
    return {
        name: PROVIDES[type(converter)]
        for name, converter in template.converters.items()
        if type(converter) in PROVIDES
    }


@dataclass(frozen=True, slots=True)
class InstanceOf:
    """Tells Pydantic to take an instance of a class that it can't read."""

    cls: type

    def __get_pydantic_core_schema__(
        self, source: t.Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.is_instance_schema(self.cls)


def take_instances(
    signature: Signature, template: PathTemplate, proven: Mapping[str, type]
) -> Signature:
    """The signature, which takes what a converter of one's own makes as it is.

    Such a converter may look up an object of any class, one of an ORM say.

    :param proven: the types of what the other converters provide.
    """
    own = template.converters.keys() - proven.keys()
    if not own:
        return signature
    arguments = [
        replace(argument, annotation=_instances_of(argument.annotation))
        if argument.location is Location.PATH and path_name(argument) in own
        else argument
        for argument in signature.arguments
    ]
    return replace(signature, arguments=tuple(arguments))


def _instances_of(annotation: t.Any) -> t.Any:
    """The annotation with ``InstanceOf`` for what no text of a path can be.

    That is a class that Pydantic can't read, and whatever has fields or items.
    """
    plain = unwrap(annotation)
    if is_union(plain):
        return map_arguments(plain, _instances_of)
    origin = t.get_origin(plain) or plain
    if not is_class(origin) or (shape_of(plain) is Shape.SCALAR and _is_known(plain)):
        return annotation
    try:
        isinstance(None, origin)
    except TypeError:
        # A TypedDict, or a protocol that can't be checked when the program runs.
        return t.Any
    return t.Annotated[t.Any, InstanceOf(origin)]


def _is_known(tp: t.Any) -> bool:
    try:
        TypeAdapter(tp)
    except PydanticSchemaGenerationError:
        return False
    except Exception:
        # Another mistake, which is told when the type is needed.
        return True
    return True


def find_unclaimed(
    view_callable: ViewCallable,
    signature: Signature,
    template: PathTemplate,
    provided: set[str],
) -> str | None:
    """What is wrong with a variable of the URL that no argument takes.

    Flask would call the view with an argument that it does not have.
    """
    unclaimed = provided - {*view_callable.signature.parameters}
    if not unclaimed or takes_any_keyword(view_callable) or view_callable.wrapped:
        return None
    unclaimed -= {
        path_name(argument)
        for argument in signature.arguments
        if argument.location is Location.PATH
    }
    if not unclaimed:
        return None
    name = min(unclaimed)
    tp = PROVIDES.get(type(template.converters.get(name)), str).__name__
    return (
        f"the URL provides {name!r}, but {view_callable.name} has no argument of that"
        f" name. Add '{name}: {tp}' to the view, or accept it with '**kwargs'."
    )


#: The types that no value of a converter can become, by what the converter provides.
IMPOSSIBLE: t.Final[dict[type, tuple[tuple[type, ...], str]]] = {
    int: ((str, bytes, UUID), "no integer"),
    float: ((str, bytes, UUID), "no float"),
    UUID: ((str, bytes, int, float, bool), "no UUID"),
}


def refuse_impossible(signature: Signature, template: PathTemplate) -> None:
    """Refuse an argument whose type no value of its converter can become.

    :raises SignatureError: every request would be answered with an error.
    """
    for argument in signature.arguments:
        if argument.location is not Location.PATH:
            continue
        variable = path_name(argument)
        converter = template.converters.get(variable)
        provides = PROVIDES.get(type(converter), object)
        if provides not in IMPOSSIBLE:
            continue
        types, view_callable = IMPOSSIBLE[provides]
        if argument.field.metadata or not all(
            tp in types for tp in members(argument.annotation)
        ):
            continue
        shown = show_type(argument.annotation)
        raise SignatureError(
            f"the rule converts {variable!r} with {_converter_name(provides)!r}, but"
            f" {signature.view} declares '{argument.name}: {shown}', and"
            f" {view_callable} is a {shown}. {_other_converter(variable, shown)}"
        )


def _converter_name(provides: type) -> str:
    return provides.__name__.lower()


def _other_converter(name: str, shown: str) -> str:
    converter = {"UUID": "uuid", "str": "string", "int": "int", "float": "float"}.get(
        shown
    )
    if converter is None:
        return "Change the annotation."
    return f"Use '<{converter}:{name}>' or change the annotation."
