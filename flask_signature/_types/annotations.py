"""Annotations taken apart: their layers, their members, what they refer to.

An annotation goes in; its layers, the members of its unions, the names that it refers
to and the shapes of input that it takes come out. For an argument these are read once,
as an :class:`ArgumentType`, which later stages ask.
"""

from __future__ import annotations

import dataclasses
import datetime
import ipaddress
import sys
import typing as t
from collections import abc, deque
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import cache, reduce
from itertools import takewhile
from operator import is_, or_
from types import NoneType, UnionType
from uuid import UUID

from pydantic import (
    BaseModel,
    BeforeValidator,
    GetPydanticSchema,
    Json,
    PlainValidator,
    RootModel,
    TypeAdapter,
    WrapValidator,
)
from pydantic.errors import PydanticSchemaGenerationError
from pydantic_core import MISSING, PydanticUndefined, core_schema
from typing_extensions import LiteralString, is_typeddict
from werkzeug.datastructures import FileStorage

from ..params import ALIASES
from ..typing import UploadFile

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


def unwrap(annotation: t.Any, taken: list[t.Any] | None = None) -> t.Any:
    """The annotation without ``Annotated``, ``NewType`` and type aliases around it.

    ``Annotated[int, Field(ge=1)]`` becomes ``int``.

    :param taken: ``[]`` for what a validator in it takes: ``str``, with
        ``BeforeValidator(read, json_schema_input_type=str)``.
    """
    # Asked first: most annotations are classes.
    if is_class(annotation):
        return annotation
    return annotation_layers(annotation, taken)[-1]


def annotation_layers(
    annotation: t.Any, taken: list[t.Any] | None = None
) -> list[t.Any]:
    """An annotation, and what is left of it without each thing that is around it.

    :param taken: the validators whose input was read in place of what they make; each
        that says what it takes is added. ``None`` reads what is made.
    """
    inside = _without_layer(annotation)
    if taken is not None:
        known = [*filter(is_input_known, _validators_of(annotation))]
        if validator := next((item for item in known if item not in taken), None):
            taken.append(validator)
            inside = validator.json_schema_input_type
    rest = [] if inside is annotation else annotation_layers(inside, taken)
    return [annotation, *rest]


def _without_layer(annotation: t.Any) -> t.Any:
    origin = t.get_origin(annotation)
    if origin is t.Annotated:
        # Json[T] is Annotated[T, Json]: a single string, whatever T is.
        is_json = any(Json in (item, type(item)) for item in annotation.__metadata__)
        return Json if is_json else annotation.__origin__
    if isinstance(annotation, t.NewType):
        return annotation.__supertype__
    # Asked before the alias itself: Python 3.10 says that an alias with its arguments
    # is an instance of what it was made of.
    if isinstance(origin, ALIASES):
        return alias_value(origin)[t.get_args(annotation)]
    return alias_value(annotation) if isinstance(annotation, ALIASES) else annotation


def _validators_of(layer: t.Any) -> list[t.Any]:
    """The validators before a type, or in its place, in the order of their calls."""
    if t.get_origin(layer) is not t.Annotated:
        return []
    metadata = reversed(layer.__metadata__)
    # What is before Json is given what that makes of the string.
    outside = takewhile(lambda item: Json not in (item, type(item)), metadata)
    kinds = (BeforeValidator, PlainValidator, WrapValidator)
    return [item for item in outside if isinstance(item, kinds)]


def is_input_known(validator: t.Any) -> bool:
    """Whether a validator says what it takes: ``json_schema_input_type=str``."""
    tp = validator.json_schema_input_type
    unknown = (str, t.ForwardRef, t.TypeVar, type(PydanticUndefined))
    return not (isinstance(tp, unknown) or is_anything(tp))


@cache
def alias_value(alias: t.Any) -> t.Any:
    """The value of a type alias, which may be a string."""
    return resolve(alias.__value__, referenced_names([alias]))


def referenced_names(defined: Iterable[t.Any]) -> dict[str, t.Any]:
    """The names that classes or an alias may use: of their modules, and their own."""
    found: dict[str, t.Any] = {}
    for item in defined:
        module = sys.modules.get(getattr(item, "__module__", None) or "")
        found |= vars(module) if module else {}
        found[item.__name__] = item
    return found


def resolve(annotation: t.Any, names: Mapping[str, t.Any]) -> t.Any:
    """An annotation with the types in place of their names.

    A name that is not known stays what it is. Python 3.10 keeps that in a ``list``.
    """
    if isinstance(annotation, t.ForwardRef):
        annotation = annotation.__forward_arg__
    if t.get_origin(annotation) is t.Literal:
        return annotation
    if not isinstance(annotation, str):
        return map_arguments(annotation, lambda argument: resolve(argument, names))
    holder = type("Holder", (), {"__annotations__": {"value": annotation}})
    try:
        hints = t.get_type_hints(holder, dict(names), include_extras=True)
    except (NameError, SyntaxError, TypeError, AttributeError):
        return annotation
    found = hints["value"]
    return found if found == annotation else resolve(found, names)


def members(annotation: t.Any, taken: Sequence[t.Any] | None = None) -> list[t.Any]:
    """The types that a value may have: the members of a union, else the one type.

    A ``RootModel`` counts as the type of its value; no request holds ``MISSING``, which
    is left out. ``list[int] | None`` gives ``list[int]`` and ``NoneType``.

    :param taken: the validators in whose input the annotation is, ``()`` for the types
        that a request may hold: see :func:`annotation_layers`. An alias may contain
        itself.
    """
    if is_class(annotation) and RootModel not in annotation.__mro__:
        return [annotation]
    read = None if taken is None else [*taken]
    plain = unwrap(annotation, read)
    inside = alternatives(plain)
    return [tp for item in inside for tp in members(item, read)] if inside else [plain]


def alternatives(plain: t.Any) -> list[t.Any]:
    """The annotations of a union and of a ``RootModel``; none of another type."""
    if is_union(plain):
        return [item for item in t.get_args(plain) if item is not MISSING]
    if is_root_model(plain):
        root = plain.model_fields["root"]
        return [annotate(root.annotation, root.metadata)]
    return []


def unclear_validators(
    annotation: t.Any, taken: Sequence[t.Any] = ()
) -> Iterator[t.Any]:
    """The validators before a model that don't say what they take.

    It may be one value, or a dictionary of the model's fields.

    :param taken: see :func:`members`.
    """
    taken = [*taken]
    *layers, plain = annotation_layers(annotation, taken)
    for layer in layers:
        for validator in _validators_of(layer):
            if is_input_known(validator):
                break
            yield validator
    for item in alternatives(plain):
        if Shape.MODEL in map(shape_of, members(item, taken)):
            yield from unclear_validators(item, taken)


class Shape(Enum):
    """How many values of a request an annotation takes, and of what kind."""

    SCALAR = "a single value"
    LIST = "a list"
    MAPPING = "a dict"
    MODEL = "a model"
    FILE = "a file"


CONCRETE_LISTS: t.Final = (list, tuple, set, frozenset, deque)

ABSTRACT_LISTS: t.Final = (
    *(abc.Collection, abc.Iterable, abc.Sequence, abc.Set),
    *(abc.MutableSequence, abc.MutableSet),
)

#: The most frequent scalars, which are recognised first. A tuple, since an annotation
#: may have no hash.
COMMON_SCALARS: t.Final = (str, int, float, bool, NoneType, bytes)


def shape_of(annotation: t.Any) -> Shape:
    """The shape of a type that is no union."""
    if annotation in COMMON_SCALARS:
        return Shape.SCALAR
    if is_base_model(annotation):
        return Shape.MODEL
    origin = t.get_origin(annotation) or annotation
    if issubclass_of(origin, FileStorage):
        return Shape.FILE
    if is_model(origin):
        return Shape.MODEL
    if issubclass_of(origin, (str, bytes, bytearray, Enum)):
        return Shape.SCALAR
    if issubclass_of(origin, abc.Mapping):
        return Shape.MAPPING
    if origin in ABSTRACT_LISTS or issubclass_of(origin, CONCRETE_LISTS):
        return Shape.LIST
    return Shape.SCALAR


def is_union(annotation: t.Any) -> bool:
    """Whether an annotation is ``X | Y`` or ``Union[X, Y]``."""
    return not is_class(annotation) and t.get_origin(annotation) in (t.Union, UnionType)


def is_class(annotation: t.Any) -> bool:
    """Whether an annotation is a class itself, and not one with its items given."""
    # Python 3.10 says that list[int] is an instance of type.
    return isinstance(annotation, type) and issubclass(type(annotation), type)


def is_base_model(annotation: t.Any) -> bool:
    """Whether an annotation is a subclass of ``BaseModel``.

    Asked of ``__mro__``: ``issubclass`` is slow for a class with an abstract base.
    """
    return is_class(annotation) and BaseModel in annotation.__mro__


def is_root_model(annotation: t.Any) -> bool:
    """Whether an annotation is a class of models with a single value."""
    return is_class(annotation) and RootModel in annotation.__mro__


def issubclass_of(annotation: t.Any, classes: t.Any) -> bool:
    """``issubclass``, which is ``False`` for an annotation that is no class."""
    return is_class(annotation) and issubclass(annotation, classes)


def is_model(annotation: t.Any) -> bool:
    """Whether a type has named fields: a Pydantic model or one of Python's kinds."""
    if not is_class(annotation):
        return is_typeddict(annotation)
    return (
        BaseModel in annotation.__mro__
        or dataclasses.is_dataclass(annotation)
        or is_typeddict(annotation)
        or (issubclass(annotation, tuple) and hasattr(annotation, "_fields"))
    )


def is_anything(annotation: t.Any) -> bool:
    """Whether a type says nothing: ``Any``, ``object``, an unbound ``TypeVar``."""
    plain = unwrap(annotation)
    if not isinstance(plain, t.TypeVar):
        return plain in (t.Any, object, abc.Hashable)
    # Those of typing_extensions have a default before Python 3.13, too.
    has_default = getattr(plain, "has_default", bool)()
    bound = plain.__bound__
    is_bound = bound is not None and not is_anything(bound)
    return not (is_bound or plain.__constraints__ or has_default)


def with_known(
    annotation: t.Any, unknown: type = FileStorage, known: type = UploadFile
) -> t.Any:
    """The annotation with a class that Pydantic knows for one that it does not."""
    if is_class(annotation):
        return known if issubclass(annotation, unknown) else annotation
    return map_arguments(annotation, lambda inner: with_known(inner, unknown, known))


def accept_instances(annotation: t.Any) -> t.Any:
    """The annotation with its instances for what no string of a path can be.

    That is a class that Pydantic can't read, and any type with fields or items.
    """
    plain = unwrap(annotation)
    if plain != unwrap(annotation, []):
        # A validator says that it takes what the converter makes.
        return annotation
    if is_union(plain):
        return map_arguments(plain, accept_instances)
    origin = t.get_origin(plain) or plain
    if not is_class(origin) or (shape_of(plain) is Shape.SCALAR and _has_schema(plain)):
        return annotation
    try:
        isinstance(None, origin)
    except TypeError:
        # A TypedDict, or a protocol that can't be checked when the program runs.
        return t.Any
    schema = core_schema.is_instance_schema(origin)
    return t.Annotated[t.Any, GetPydanticSchema(lambda *_: schema)]


def _has_schema(tp: t.Any) -> bool:
    try:
        TypeAdapter(tp)
    except Exception as error:
        # Another mistake is reported when the adapter is built.
        return not isinstance(error, PydanticSchemaGenerationError)
    return True


def map_arguments(annotation: t.Any, change: Callable[[t.Any], t.Any]) -> t.Any:
    """The annotation with each of its arguments changed: ``int`` in ``list[int]``.

    It is the same object if none was changed.
    """
    origin, arguments = t.get_origin(annotation), t.get_args(annotation)
    if origin is t.Annotated:
        arguments = (annotation.__origin__,)
    changed = tuple(map(change, arguments))
    if all(map(is_, changed, arguments)):
        return annotation
    if origin is t.Annotated:
        return annotate(changed[0], annotation.__metadata__)
    if is_union(annotation):
        # References, such as the one in Optional["Item"], have no "|" in Python 3.10.
        return t.Union[changed]  # noqa: UP007
    # Final and its like take one argument, and no tuple of one in Python 3.10.
    return origin[changed[0] if len(changed) == 1 else changed]


def annotate(annotation: t.Any, metadata: Sequence[t.Any]) -> t.Any:
    """``Annotated`` of a type and its metadata, the type alone where there is none."""
    arguments = (annotation, *metadata)
    return t.Annotated[arguments] if metadata else annotation


def items_of(lists: Iterable[t.Any]) -> t.Any:
    """The union of the types of the items of some lists: ``int`` for ``list[int]``."""
    found = [item for tp in lists for item in t.get_args(tp) if item is not ...]
    return reduce(or_, found) if found else t.Any


#: Scalars that no blank string can be: a blank field of a form is an absent one.
NEVER_BLANK: t.Final = (
    *(bool, int, float, complex, Decimal, UUID),
    *(datetime.date, datetime.time, datetime.timedelta),
    *(ipaddress.IPv4Address, ipaddress.IPv6Address),
)


def may_be_blank(tp: t.Any) -> bool:
    """Whether a blank string can be a value of a scalar."""
    if t.get_origin(tp) is t.Literal:
        return "" in t.get_args(tp)
    if issubclass_of(tp, Enum):
        return any(member.value == "" for member in tp)
    return not issubclass_of(tp, NEVER_BLANK)


def values_by_string(types: Iterable[t.Any]) -> dict[str, t.Any]:
    """The values of literals and enumerations that are no strings, by their strings.

    ``Literal[1, 2]`` gives ``{"1": 1, "2": 2}``. Pydantic compares literals as they
    are, but a query, a header, a cookie and a form carry nothing but strings.

    :param types: the members of a union.
    """
    values: list[t.Any] = []
    for tp in types:
        if t.get_origin(tp) is t.Literal:
            values += t.get_args(tp)
        elif issubclass_of(tp, Enum):
            values += [member.value for member in tp]
    strings = {value for value in values if isinstance(value, str)}
    found = dict[str, t.Any]()
    for value in values:
        plain = value.value if isinstance(value, Enum) else value
        string = str(plain).lower() if isinstance(plain, bool) else str(plain)
        if value is not None and string not in strings:
            found[string] = value
    return found


@dataclass(frozen=True, slots=True)
class ArgumentType:
    """What an annotation says of its values.

    :param annotation: as it was written, metadata included.
    :param plain: without ``Annotated``, ``NewType`` and aliases around it.
    :param members: the types that a value may have: more than one in a union.
    :param shapes: of these, ``None`` aside.
    :param item: the type of a list's items, ``None`` where no member is a list.
    :param models: the members that are models.
    :param is_class: whether the annotation is a class itself, without metadata.
    :param has_files: whether a value, or an item of a list, may be a file.
    :param is_split: whether one string may become many values.
    :param may_be_blank: whether a blank string can be a value.
    :param values: the values of literals and enumerations that are no strings, by their
        strings: ``{"1": 1, "2": 2}`` for ``Literal[1, 2]``.
    """

    annotation: t.Any
    plain: t.Any
    members: tuple[t.Any, ...]
    shapes: frozenset[Shape]
    item: ArgumentType | None
    models: tuple[t.Any, ...]
    is_class: bool
    has_files: bool
    is_split: bool
    may_be_blank: bool
    values: Mapping[str, t.Any]

    @property
    def scalars(self) -> tuple[t.Any, ...]:
        """The members that are single values, ``None`` among them."""
        return tuple(tp for tp in self.members if shape_of(tp) is Shape.SCALAR)

    @property
    def values_of_dicts(self) -> ArgumentType:
        """The type of the values of the dicts among the members."""
        dicts = [tp for tp in self.members if shape_of(tp) is Shape.MAPPING]
        types = tuple((t.Any, *t.get_args(tp))[-1] for tp in dicts)
        return read_type(t.Union[types])  # noqa: UP007

    @property
    def is_anything(self) -> bool:
        """Whether it takes any value, which is then not converted."""
        return self.annotation is t.Any


def read_type(
    annotation: t.Any, *, is_item: bool = False, in_json: bool = False
) -> ArgumentType:
    """What an annotation says of its values, with ``UploadFile`` for every file.

    :param is_item: whether they are items of a list, whose own items are not asked for:
        an alias may contain itself.
    :param in_json: whether they are read from JSON, in which a validator gets whatever
        was sent. Elsewhere they are what it takes.
    """
    # The metaclass of another class may have a hash of its own, or none.
    known = _COMMON.get(annotation) if type(annotation) is type else None
    return known or _read(with_known(annotation), is_item, in_json)


def _read(annotation: t.Any, is_item: bool, in_json: bool) -> ArgumentType:
    made = members(annotation)
    found = made if in_json else members(annotation, ())
    shapes = [(tp, shape_of(tp)) for tp in found if tp not in (None, NoneType)]
    scalars = [tp for tp, shape in shapes if shape is Shape.SCALAR]
    lists = [tp for tp, shape in shapes if shape is Shape.LIST]
    item = read_type(items_of(lists), is_item=True) if lists and not is_item else None
    has_files = any(shape is Shape.FILE for _, shape in shapes)
    taken = tuple(found)
    models = tuple(tp for tp, shape in shapes if shape is Shape.MODEL)
    return ArgumentType(
        annotation,
        unwrap(annotation, None if in_json else []),
        taken,
        frozenset(shape for _, shape in shapes),
        item,
        models=taken if models == taken else models,
        is_class=is_class(annotation),
        has_files=has_files or (item is not None and item.has_files),
        is_split=any(tp is Json or shape_of(tp) is not Shape.SCALAR for tp in made),
        may_be_blank=any(map(may_be_blank, scalars)),
        values=values_by_string(found),
    )


_COMMON: t.Final = {
    tp: _read(tp, is_item=False, in_json=False) for tp in COMMON_SCALARS
}

#: The classes whose values are sent as they are.
STRING_TYPES: t.Final = (str, bytes, bytearray)


def string_types(annotation: t.Any) -> tuple[type, ...]:
    """The classes of an annotation whose values are strings, ``()`` for any other.

    ``Literal["a", "b"]`` gives ``(str,)``, and so does a ``TypeVar`` that is bound to
    ``str``; ``AnyStr`` gives ``(str, bytes)``.

    Source: PEP 484, PEP 586.
    """
    plain = unwrap(annotation)
    if issubclass_of(plain, STRING_TYPES):
        return (plain,)
    if plain is LiteralString:
        return (str,)
    if t.get_origin(plain) is t.Literal:
        values = t.get_args(plain)
        kinds = [str if isinstance(value, str) else bytes for value in values]
        is_string = all(isinstance(value, STRING_TYPES) for value in values)
        return tuple(dict.fromkeys(kinds)) if is_string else ()
    if not isinstance(plain, t.TypeVar):
        return ()
    choices = plain.__constraints__ or members(plain.__bound__)
    found = [string_types(tp) for tp in choices]
    return tuple(kind for kinds in found for kind in kinds) if all(found) else ()


def show_type(annotation: t.Any) -> str:
    """A type for a message: ``"list[Item] | None"``."""
    if t.get_origin(annotation) is t.Annotated:
        return show_type(annotation.__origin__)
    arguments = t.get_args(annotation)
    if annotation in (NoneType, ...):
        return "None" if annotation is NoneType else "..."
    if is_class(annotation) and not arguments:
        return str(annotation.__qualname__).rpartition(".")[2]
    if isinstance(annotation, t.NewType):
        return annotation.__name__
    if is_union(annotation):
        return " | ".join(show_type(argument) for argument in arguments)
    origin = t.get_origin(annotation)
    if is_class(origin) and arguments:
        inner = ", ".join(show_type(argument) for argument in arguments)
        return f"{show_type(origin)}[{inner}]"
    return str(annotation).replace("typing.", "")
