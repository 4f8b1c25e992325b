"""The body of a request as arguments: from JSON, or as bytes or a string.

Arguments go in when a view is compiled, a :class:`BodyPlan` comes out, which an inbound
plan calls for each request. The adapters that validate arguments are made here.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from itertools import count
from types import NoneType, UnionType
from uuid import UUID

from annotated_types import BaseMetadata, Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf
from pydantic import EncodedBytes, Field, ValidationError
from pydantic_core import PydanticUndefined, core_schema, from_json
from typing_extensions import TypedDict
from werkzeug.exceptions import UnsupportedMediaType
from werkzeug.http import parse_options_header

from .._common import CONTENT_TYPE
from .._errors.entries import validation_error
from .._http.json import JSON
from .._http.request import has_body, mimetype_of, read_data
from .._types.adapters import (
    PYDANTIC_ERRORS,
    Adapter,
    complete_adapter,
    find_kind,
    input_validator,
)
from .._types.annotations import Shape, annotate, show_type
from .._types.models import CopiedDefault, needs_copying
from .._types.problems import argument_problem, author_error, first_line
from ..exceptions import SignatureError
from ..params import Location
from .limits import BoundedValidator
from .readers import check_file_constraints

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from flask import Request
    from pydantic import AliasChoices, AliasPath

    from .._signature.argument import Argument


#: The media type of an argument that accepts any body which is not JSON.
ANY_TYPE: t.Final = "*/*"

#: Bytes that are searched for by their number, in a tenth of the time.
CAPITAL_I: t.Final = ord("I")
CAPITAL_N: t.Final = ord("N")

#: The charsets of a body that is read as a string. Werkzeug accepts no others in forms
#: either.
CHARSETS: t.Final = frozenset({"utf-8", "utf8", "us-ascii", "ascii"}) | {
    *("iso-8859-1", "latin-1", "latin1")
}


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """How the body of a request becomes arguments.

    :param arguments: the arguments, at least one.
    :param whole: the name of the argument that is the whole body; ``None`` where each
        argument is a key of a JSON object.
    :param json: reads JSON, ``None`` where the body is never JSON.
    :param raw: reads bytes, ``None`` where the body is always JSON.
    :param absent: gives the arguments their defaults, ``None`` where one is required.
    :param media_types: the content types that are accepted, the JSON one first.
    :param needs_content_type: whether a body without a content type is a 415, rather
        than read as JSON.
    """

    arguments: tuple[Argument, ...]
    whole: str | None
    json: BoundedValidator | None
    raw: Adapter | None
    absent: Adapter | None
    media_types: tuple[str, ...]
    needs_content_type: Callable[[], bool]

    @property
    def schemas(self) -> list[t.Any]:
        """The core schemas of what reads the body."""
        adapters = [self.json.adapter if self.json else None, self.raw, self.absent]
        return [item.core_schema for item in adapters if item is not None]

    def read(self, request: Request) -> dict[str, t.Any]:
        """The arguments of the body by name.

        :raises ValidationError: if the body does not fit the arguments.
        :raises UnsupportedMediaType: if its content type is not one of those accepted.
        """
        content_type = request.environ.get("CONTENT_TYPE")
        if self.json is not None and content_type == self.media_types[0]:
            return self.read_json(read_data(request))
        # A body that is not read costs nothing, and none is waited for.
        read = self._find_reader(request) if has_body(request) else None
        data = read_data(request)
        if not data:
            return self._read_nothing()
        return (read or self._find_reader(request))(data)

    def _find_reader(self, request: Request) -> Callable[[bytes], dict[str, t.Any]]:
        """What reads a body of the content type of a request.

        :raises UnsupportedMediaType: if nothing does.
        """
        content_type: str = request.environ.get("CONTENT_TYPE", "")
        mimetype, first = mimetype_of(request), self.media_types[0]
        is_accepted = mimetype == first or (first == JSON and is_json(mimetype))
        if self.json is not None and is_accepted:
            return self.read_json
        if self.raw is not None and self._accepts_raw(mimetype):
            return partial(self._read_raw, self._encoding_of(content_type))
        if self.json is not None and not (content_type or self.needs_content_type()):
            return self.read_json
        message = f"The body must be sent as {' or '.join(self.media_types)}."
        if ANY_TYPE in self.media_types:
            message = "The body must be sent with a Content-Type that says what it is."
        raise UnsupportedMediaType(message)

    def _read_nothing(self) -> dict[str, t.Any]:
        if self.absent is None:
            raise validation_error("missing")
        return t.cast("dict[str, t.Any]", self.absent.validator.validate_python({}))

    def read_json(self, data: bytes) -> dict[str, t.Any]:
        """The arguments of a body of the content type of JSON: see :meth:`read`."""
        assert self.json is not None
        if not data:
            return self._read_nothing()
        # Pydantic accepts NaN and Infinity, RFC 8259 does not.
        may_hold_nan = CAPITAL_N in data and b"NaN" in data
        if may_hold_nan or (CAPITAL_I in data and b"Infinity" in data):
            _check_constants(data)
        value = self.json.validate_json(data)
        return value if self.whole is None else {self.whole: value}

    def _accepts_raw(self, mimetype: str) -> bool:
        accepted = self.media_types[-1]
        if accepted == ANY_TYPE:
            return bool(mimetype)
        if accepted.endswith("/*"):
            return mimetype.startswith(accepted[:-1])
        return mimetype == accepted

    def _encoding_of(self, content_type: str) -> str | None:
        """How a body is decoded, ``None`` where it is read as bytes.

        :raises UnsupportedMediaType: if the charset is not one of :data:`CHARSETS`.
        """
        if any(tp is bytes for tp in self.arguments[0].type.members):
            return None
        options = parse_options_header(content_type)[1]
        charset = options.get("charset", "utf-8").lower()
        if charset not in CHARSETS:
            raise UnsupportedMediaType("The charset of the body must be UTF-8.")
        return charset

    def _read_raw(self, encoding: str | None, data: bytes) -> dict[str, t.Any]:
        assert self.raw is not None
        (argument,) = self.arguments
        try:
            value = data if encoding is None else data.decode(encoding)
        except UnicodeDecodeError:
            raise validation_error("string_unicode") from None
        return {argument.key: self.raw.validator.validate_python(value)}


def _check_constants(data: bytes) -> None:
    """Refuse ``NaN`` and ``Infinity`` outside of strings, which are not JSON.

    Source: RFC 8259, 6 (Numbers).
    """
    try:
        from_json(data, allow_inf_nan=False)
    except ValueError as error:
        raise validation_error("json_invalid", error=str(error)) from None


def compile_body(
    arguments: Sequence[Argument],
    passed: Collection[str],
    needs_content_type: Callable[[], bool],
) -> BodyPlan:
    """The plan that reads the body arguments of a view.

    :param passed: the names of those that are not read, but not of all.
    :param needs_content_type: see :class:`BodyPlan`.
    :raises SignatureError: if they can't share one body, or their types can't be read.
    """
    whole = _whole(arguments)
    media_type = _find_media_type(arguments)
    raw = _takes_raw(arguments, media_type)
    read = [item for item in arguments if item.key not in passed]
    media_types: tuple[str, ...] = (media_type or JSON,)
    if raw and not media_type:
        media_types = (JSON, ANY_TYPE)
    json = raw_adapter = None
    if not (raw and media_type):
        json = _argument_adapter(whole) if whole else keywords_adapter(read)
        check_types(read[0].owner, json, whole.key if whole else None)
    if raw:
        raw_adapter = _argument_adapter(read[0])
        check_types(read[0].owner, raw_adapter, read[0].name)
    optional = all(not argument.field.is_required() for argument in read)
    return BodyPlan(
        arguments=tuple(read),
        whole=whole.key if whole else None,
        json=BoundedValidator(json) if json else None,
        raw=raw_adapter,
        absent=keywords_adapter(read) if optional else None,
        media_types=media_types,
        needs_content_type=needs_content_type,
    )


def _whole(arguments: Sequence[Argument]) -> Argument | None:
    """The argument that is the whole body, ``None`` if each is a key of an object."""
    argument, *others = arguments
    if others:
        for item in arguments:
            if item.marker.embed is False:
                raise SignatureError(
                    f"{item.name!r} is declared with embed=False, but shares the body"
                    " with other arguments. Remove embed=False, or the other body"
                    " arguments."
                )
        return None
    if argument.marker.embed is not None:
        return None if argument.marker.embed else argument
    return argument if argument.type.shapes - {Shape.SCALAR} else None


def _find_media_type(arguments: Sequence[Argument]) -> str | None:
    """The media type that the arguments of a body declare, ``None`` without one.

    :raises SignatureError: if there are two, or it is none.
    """
    declared = {argument.marker.media_type for argument in arguments} - {None}
    if len(declared) > 1:
        names = " and ".join(sorted(repr(item) for item in declared))
        raise SignatureError(f"the body has two media types, {names}. Keep one.")
    media_type = declared.pop() if declared else None
    if media_type and ";" in media_type:
        plain = media_type.partition(";")[0].strip()
        raise SignatureError(
            f"the media type {media_type!r} has a parameter, and bodies are told apart"
            f" without. Write {plain!r}."
        )
    if media_type and not CONTENT_TYPE.fullmatch(media_type):
        raise SignatureError(
            f"{media_type!r} is no media type of a body. Write one such as"
            " 'application/json' or 'image/*'; another one needs a view of its own."
        )
    return media_type.lower() if media_type else None


def _takes_raw(arguments: Sequence[Argument], media_type: str | None) -> bool:
    # A page of another site can send text and forms without a preflight request, so
    # that a string is read from JSON unless the view names another media type.
    raw_types = (str, bytes) if media_type else (bytes,)
    argument = arguments[0]
    # Bytes may be encoded as a string, as Base64Bytes are in JSON.
    raw = (
        len(arguments) == 1
        and not argument.marker.embed
        and any(tp in raw_types for tp in argument.type.members)
        and not any(isinstance(x, EncodedBytes) for x in argument.field.metadata)
    )
    if media_type and not raw:
        _check_json_type(argument, media_type)
    return raw


def _check_json_type(argument: Argument, media_type: str) -> None:
    """Refuse a media type that no JSON body can have.

    :raises SignatureError: if it is not that of JSON, or names no single one.
    """
    if not is_json(media_type):
        advice = "Annotate it 'bytes' or 'str' to get the body as it is."
    elif "*" in media_type:
        advice = "Leave 'media_type' out to accept every type of JSON."
    else:
        return
    raise SignatureError(
        f"{argument.name!r} is read from JSON, but its media type is {media_type!r}."
        f" {advice}"
    )


def is_json(mimetype: str) -> bool:
    """Whether a content type is JSON: ``application/json``, ``application/*+json``."""
    is_suffixed = mimetype.startswith("application/") and mimetype.endswith("+json")
    return mimetype == JSON or is_suffixed


def _annotated_type(argument: Argument, more: Sequence[t.Any] = ()) -> t.Any:
    """The type of an argument with its constraints and its default as metadata."""
    default = argument.field.default
    if default is not PydanticUndefined and needs_copying(default):
        more = (Field(CopiedDefault(default)), *more)
    return annotate(argument.type.annotation, (*argument.fields, *more))


#: For names that no two schemas share.
_numbers: t.Final = count()


def _typed_dict(types: Mapping[str, t.Any]) -> t.Any:
    # TypedDict is called, since the names are known at run time only. Pydantic
    # describes equal schemas of one name once, and 1 equals True.
    name = f"Arguments{next(_numbers)}"
    return TypedDict(name, dict(types))  # type: ignore[operator]


#: The core schemas of the types that arguments share, as keys of a typed dict.
_shared_fields: dict[Hashable, t.Any] = {}

#: Shared types that are kept. An application has fewer.
MAX_SHARED: t.Final = 10_000

#: The classes that arguments share. Pydantic writes no definitions for them.
CLASSES: t.Final = frozenset(
    {str, int, float, bool, bytes, NoneType, Decimal, UUID}
) | {*(date, datetime, time, timedelta)}

#: What is shared if all in it is. Equal unions differ in the order of their members.
GENERICS: t.Final = (list, set, frozenset, t.Literal, t.Union, UnionType)

#: Values that are the same where their ``repr()`` is, which 1 and True are not.
PLAIN_DEFAULTS: t.Final = frozenset(
    {str, int, float, bool, NoneType, type(PydanticUndefined)}
)

#: The constraints with plain values. That of ``pattern`` has no public name.
CONSTRAINT_TYPES: t.Final = frozenset({Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf}) | {
    type(Field(pattern="").metadata[0])
}


def shared_adapter(
    arguments: Sequence[Argument], aliases: Mapping[str, AliasPath | AliasChoices]
) -> Adapter | None:
    """The adapter that makes keyword arguments of shared types.

    ``None`` where the type of one is read for it alone.

    :param aliases: the path to each argument in the input, by its key.
    :raises Exception: one of :data:`PYDANTIC_ERRORS`, if Pydantic can't read a type.
    """
    keys = {item.key: shared_key(item) for item in arguments}
    if None in keys.values():
        return None
    known = _shared_fields if len(_shared_fields) < MAX_SHARED else {}
    new = {keys[x.key]: x for x in arguments if keys[x.key] not in known}
    for argument in new.values():
        check_constraints(argument)
    if new:
        types = {item.key: _annotated_type(item) for item in new.values()}
        made = complete_adapter(_typed_dict(types), input_validator)
        read: t.Any = made.core_schema
        known.update((key, read["fields"][item.key]) for key, item in new.items())
    fields: t.Any = {
        name: {**known[keys[name]], "validation_alias": alias.convert_to_aliases()}
        for name, alias in aliases.items()
    }
    ref = f"{__name__}.Arguments{next(_numbers)}:{id(fields)}"
    schema = core_schema.typed_dict_schema(fields, cls_name="Arguments", ref=ref)
    return Adapter(schema, input_validator(schema))


def shared_key(argument: Argument) -> Hashable | None:
    """All that Pydantic reads of a type, ``None`` where others can't share it."""
    written, field = argument.type.annotation, argument.field.asdict()
    # The metadata around a type are a part of the field.
    bare = written.__origin__ if t.get_origin(written) is t.Annotated else written
    given = [x for x in field["attributes"].items() if x[1] is not None]
    with suppress(LookupError):
        names = ((name, _key_of(value)) for name, value in given)
        return (_key_of(bare), *names, *map(_key_of, field["metadata"]))
    return None


def _key_of(value: t.Any) -> Hashable:
    """What tells a part of a type from others; ``LookupError`` if none share it."""
    kind = type(value)
    if kind in PLAIN_DEFAULTS:
        return repr(value)
    # The metaclass of another class may have a hash of its own, or none.
    if kind is type and value in CLASSES:
        return t.cast("type", value)
    if kind in CONSTRAINT_TYPES:
        names = getattr(value, "__dict__", kind.__slots__)
        return (kind, *((name, _key_of(getattr(value, name))) for name in names))
    if t.get_origin(value) in GENERICS:
        return (t.get_origin(value), *map(_key_of, t.get_args(value)))
    raise LookupError


def keywords_adapter(
    arguments: Sequence[Argument], more: Mapping[str, Sequence[t.Any]] | None = None
) -> Adapter:
    """The adapter that makes the keyword arguments of a view.

    :param more: metadata of the types, by the keys of the arguments.
    :raises SignatureError: if Pydantic can't read one of the types.
    """
    found = more or {}
    types = {x.key: _annotated_type(x, found.get(x.key, ())) for x in arguments}
    try:
        return complete_adapter(_typed_dict(types), input_validator)
    except PYDANTIC_ERRORS as error:
        for argument in arguments:
            # Pydantic warns of an alias that is not that of a field.
            tp = _typed_dict({argument.key: types[argument.key]})
            _argument_adapter(argument, tp)
        names = ", ".join(repr(argument.name) for argument in arguments)
        raise SignatureError(
            f"Pydantic can't read the types of {names}: {first_line(error)}"
        ) from author_error(error)


def _argument_adapter(argument: Argument, tp: t.Any = None) -> Adapter:
    """The adapter of one argument's type.

    :param tp: what of it is read, all of it by default.
    :raises SignatureError: if Pydantic can't read the type.
    """
    try:
        tp = _annotated_type(argument) if tp is None else tp
        return complete_adapter(tp, input_validator)
    except PYDANTIC_ERRORS as error:
        problem = argument_problem(argument.name, argument.type.annotation, error)
        raise SignatureError(problem) from author_error(error)


#: The types that no request can be read as, by their kinds of core schema: what the
#: author is told of them.
REFUSED_TYPES: t.Final = {
    "generator": (
        "an Iterable or a Generator, whose items are validated when the view takes"
        " them, too late to refuse the request. Annotate it as a list."
    ),
    "import": (
        "an ImportString, which would import whatever module a request names. Annotate"
        " it as a Literal or an Enum of the names, and import that in the view."
    ),
}


def check_types(view: str, adapter: Adapter, argument: str | None = None) -> None:
    """Refuse the types of :data:`REFUSED_TYPES`, wherever one is in an argument.

    :param argument: the name of the one that the adapter makes, ``None`` if it makes
        several.
    :raises SignatureError: if there is one.
    """
    found = find_kind(adapter.core_schema, REFUSED_TYPES)
    if found is None:
        return
    kind, path = found
    name = ".".join(path if argument is None else (argument, *path))
    raise SignatureError(f"{name!r} of {view} is {REFUSED_TYPES[kind]}")


#: The types that a constraint is tried with: with 1, which a message shows, or empty.
TRIED_WITH_ONE: t.Final = frozenset({bool, int, float, Decimal})
TRIED_EMPTY: t.Final = frozenset({str, bytes, list, set, tuple, frozenset, dict})


def check_constraints(argument: Argument) -> None:
    """Refuse a constraint that does not apply to a type, such as ``ge=1`` on ``str``.

    Pydantic raises ``TypeError`` for it when it validates the first value.

    :raises SignatureError: if there is one.
    """
    metadata = argument.field.metadata
    check_file_constraints(
        f"{argument.name!r} of {argument.owner}",
        argument.type,
        metadata,
        in_files=argument.location is Location.FILE,
    )
    constraints = tuple(item for item in metadata if isinstance(item, BaseMetadata))
    if not constraints:
        return
    adapter = _argument_adapter(argument, annotate(argument.type.plain, constraints))
    for tp in argument.type.members:
        tried = t.get_origin(tp) or tp
        if tp is t.Any and argument.location is not Location.BODY:
            # An argument without a type is a string, or a list of strings.
            tried = str
        if tried not in TRIED_WITH_ONE | TRIED_EMPTY:
            continue
        sample = tried(1) if tried in TRIED_WITH_ONE else tried()
        try:
            adapter.validator.validate_python(sample)
        except ValidationError:
            continue
        except TypeError as error:
            raise SignatureError(
                f"{argument.name!r} is {show_type(argument.type.annotation)!r}, which"
                f" can't take one of its constraints: {first_line(error)} Remove it, or"
                " change the type."
            ) from author_error(error)
