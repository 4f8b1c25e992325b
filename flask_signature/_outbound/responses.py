"""What is said of a response, by status: the option ``responses=``, and headers.

The option goes in, a :class:`DeclaredResponse` for each status comes out; a headers
model goes in, pairs of strings come out for each response. What an error handler says
that it sends is told here, too. Source: RFC 9110, 5.5 and 6.4.1.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from types import NoneType

from pydantic_core import MISSING, to_jsonable_python
from typing_extensions import is_typeddict
from werkzeug.datastructures import Headers
from werkzeug.http import http_date

from .._common import STANDARD_ERROR, TOKEN, has_content, is_success_key
from .._signature.argument import EMPTY, header_name
from .._types.adapters import type_adapter
from .._types.annotations import (
    Shape,
    annotate,
    is_base_model,
    is_model,
    members,
    shape_of,
    show_type,
    unwrap,
)
from .._types.models import model_fields, optional_keys
from ..cookies import SetCookie
from ..exceptions import SignatureError
from .annotation import (
    AnnotationError,
    read_bodies,
    read_returns,
)
from .serializer import ResponseSerializer, compile_serializer

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

    from .._routing.declaration import Declaration
    from .._types.adapters import Adapter


@dataclass(frozen=True, slots=True)
class DeclaredResponse:
    """What ``responses=`` declares of one status.

    :param serializer: of its model, ``None`` where there is none.
    :param description: of the response.
    :param headers: Header Objects by name, or types of theirs.
    :param content: Media Type Objects of what is sent besides the model, by media type.
        The schema of one may be the adapter of a type.
    :param examples: of the model, Example Objects by name.
    :param is_standard: whether it is an error in the format of the application.
    :param summary: of the response, which OpenAPI 3.2 has.
    """

    serializer: ResponseSerializer | None
    description: str | None = None
    headers: Mapping[str, t.Any] = field(default_factory=dict)
    content: Mapping[str, Mapping[str, t.Any]] = field(default_factory=dict)
    examples: Mapping[str, t.Any] = field(default_factory=dict)
    is_standard: bool = False
    summary: str | None = None


#: What ``responses={404: None}`` declares.
NO_DECLARED: t.Final = DeclaredResponse(None)

#: What ``responses=[404]`` declares.
STANDARD: t.Final = DeclaredResponse(None, is_standard=True)


def read_responses(declaration: Declaration) -> dict[int | str, DeclaredResponse]:
    """What ``responses=`` declares, by status: a number, ``"4XX"`` or ``"default"``.

    :raises SignatureError: if a status or what it is given can't be understood.
    """
    responses = {read_status(key): said for key, said in declaration.responses.items()}
    return {
        status: _read_declared(status, said, declaration)
        for status, said in responses.items()
    }


def read_status(status: t.Any) -> int | str:
    """A key of ``responses=``: ``404`` for ``"404"``, ``"4XX"`` for ``"4xx"``.

    :raises SignatureError: if it is none.
    """
    name = str(int(status)) if isinstance(status, int) else str(status)
    if name == "default":
        return name
    if len(name) == 3 and name[0] in "12345":
        if name.isascii() and name.isdigit():
            return int(name)
        if name[1:].upper() == "XX":
            return name.upper()
    raise SignatureError(
        f"responses= has the status {status!r}. Use a number such as 404, a class such"
        " as '4XX', or 'default'."
    )


def keys_of_response(status: int | str) -> list[int | str]:
    """The keys of ``responses=`` that may be about a status, the nearest first.

    ``404`` gives ``404``, ``"4XX"`` and ``"default"``; ``"4XX"`` gives itself.
    """
    if isinstance(status, str):
        return [status]
    return [status, f"{status // 100}XX", *(["default"] if status >= 400 else [])]


#: What the value of a key is, in words and as a type.
ANY_VALUE: t.Final = ("anything", object)

DICTIONARY: t.Final = ("a dictionary", Mapping)

STRING_VALUE: t.Final = ("a string", str)

Keys: t.TypeAlias = "Mapping[str, tuple[str, type]]"

#: What is said of a status, of a media type and of an example.
#: Source: OpenAPI 3.1, Response Object, Media Type Object and Example Object.
RESPONSE: t.Final[Keys] = {
    "model": ANY_VALUE,
    "summary": STRING_VALUE,
    "description": STRING_VALUE,
    "headers": DICTIONARY,
    "content": DICTIONARY,
    "examples": DICTIONARY,
}

MEDIA_TYPE_KEYS: t.Final[Keys] = {
    "schema": ANY_VALUE,
    "example": ANY_VALUE,
    "examples": DICTIONARY,
}

EXAMPLE: t.Final[Keys] = {
    "value": ANY_VALUE,
    "externalValue": STRING_VALUE,
    "summary": STRING_VALUE,
    "description": STRING_VALUE,
}

#: Of these an object has one at most.
EXCLUSIVE: t.Final = (("example", "examples"), ("value", "externalValue"))


def _check_object(value: t.Any, keys: Keys, what: str) -> None:
    """Refuse an object with other keys, or with values of other types.

    :param what: the object describes: ``"409"``, ``"the example 'none' of 409"``.
    """
    *names, last = map(repr, keys)
    choice = f"{', '.join(names)} or {last}"
    if not isinstance(value, Mapping):
        raise SignatureError(
            f"responses= says {value!r} of {what}. Write a dictionary of {choice}."
        )
    for name, item in value.items():
        if name not in keys:
            raise SignatureError(f"responses= says {name!r} of {what}. Use {choice}.")
        words, tp = keys[name]
        if not isinstance(item, tp):
            raise SignatureError(
                f"responses= says {item!r} for {name!r} of {what}, which takes {words}."
            )
    for one, other in EXCLUSIVE:
        if one in value and other in value:
            raise SignatureError(
                f"responses= says {one!r} and {other!r} of {what}. Remove one of them."
            )


def _read_declared(
    status: int | str, value: t.Any, declaration: Declaration
) -> DeclaredResponse:
    """What is declared of one status. The options of the route are about success."""
    if value is STANDARD_ERROR or value is None:
        return STANDARD if value is STANDARD_ERROR else NO_DECLARED
    given = value if isinstance(value, Mapping) else {"model": value}
    said = {key: item for key, item in given.items() if item is not None}
    _check_object(said, RESPONSE, str(status))
    for key in ("content", "examples"):
        if said.get(key) and isinstance(status, int) and not has_content(status):
            raise SignatureError(
                f"responses= says {key!r} of {status}, but a {status} response has no"
                " content. Remove it."
            )
    examples = _read_examples(said.get("examples", {}), str(status))
    content = {
        name: _read_content(name, item, status)
        for name, item in said.get("content", {}).items()
    }
    options = declaration.serializer_options if is_success_key(status) else None
    return DeclaredResponse(
        compile_serializer(said["model"], options) if "model" in said else None,
        said.get("description"),
        said.get("headers", {}),
        content,
        examples,
        is_standard=not said.keys() & {"model", "content"} and str(status) >= "4",
        summary=said.get("summary"),
    )


def _read_examples(examples: Mapping[str, t.Any], what: str) -> Mapping[str, t.Any]:
    for name, example in examples.items():
        _check_object(example, EXAMPLE, f"the example {name!r} of {what}")
    return examples


def _read_content(name: t.Any, value: t.Any, status: int | str) -> Mapping[str, t.Any]:
    if not isinstance(name, str) or "/" not in name:
        raise SignatureError(
            f"responses= has the media type {name!r} in the content of {status}. Write"
            " one such as 'image/png'."
        )
    what = f"{name!r} of {status}"
    _check_object(value, MEDIA_TYPE_KEYS, what)
    _read_examples(value.get("examples", {}), what)
    schema, described = value.get("schema", {}), dict(value)
    if not isinstance(schema, (Mapping, bool)):
        described["schema"] = type_adapter(schema)
    return described


#: The name of a header. Source: RFC 9110, 5.1.
HEADER_NAME: t.Final = re.compile(TOKEN)

#: What no value of a header may have. Source: RFC 9110, 5.5, Field Values.
REFUSED_CHARACTERS: t.Final = re.compile(r"[^\t\x20-\x7e\x80-\xff]")

HEADER_LISTS: t.Final = (list, tuple, set, frozenset)

SET_COOKIE: t.Final = "set-cookie"


@dataclass(frozen=True, slots=True)
class HeaderField:
    """One header of a response.

    :param name: of the header: ``"Retry-After"``.
    :param adapter: of its value.
    :param is_required: whether each response with the status has it.
    :param info: what Pydantic knows of the field.
    """

    name: str
    adapter: Adapter
    is_required: bool
    info: FieldInfo


@dataclass(frozen=True, slots=True)
class ResponseHeaders:
    """How the headers of a status are written.

    :param adapter: of the TypedDict or model.
    :param fields: its headers, by the keys under which Pydantic writes them.
    """

    adapter: Adapter
    fields: Mapping[str, HeaderField]

    def write(self, value: t.Any) -> Headers:
        """The headers of a value; what is ``None`` is left out.

        :raises Exception: one of :data:`.WRITE_ERRORS`, if the value does not
            fit the type, or a header has a character that HTTP does not allow.
        """
        known = self.adapter.validator.validate_python(
            value, by_alias=False, by_name=True, from_attributes=True
        )
        written = self.adapter.serializer.to_python(
            known, by_alias=True, exclude_none=True, warnings=False
        )
        headers = Headers()
        for key, header in self.fields.items():
            for line in _lines_of(header.name, written.get(key)):
                headers.add(header.name, line)
        return headers


def _lines_of(name: str, value: t.Any) -> Iterator[str]:
    """The values of a header, one for each line that is sent."""
    if value is None:
        return
    repeats = name.lower() == SET_COOKIE and isinstance(value, HEADER_LISTS)
    for item in value if repeats else [value]:
        line = _show_header(item)
        if REFUSED_CHARACTERS.search(line):
            raise ValueError(f"{name} has a character that no header may have")
        yield line


def _show_header(value: t.Any) -> str:
    """A value as the string that a header has."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return http_date(value)
    if isinstance(value, HEADER_LISTS):
        # OpenAPI has a list of "simple" style without spaces. Source: RFC 6570, 3.2.2.
        return ",".join(map(_show_header, value))
    plain = to_jsonable_python(value)
    if isinstance(plain, (dict, list)):
        raise TypeError("a header has a value with several parts")
    return str(plain)


def compile_headers(model: t.Any) -> ResponseHeaders:
    """The headers of a TypedDict or a model.

    :raises AnnotationError: if one of its fields can't be a header.
    """
    plain = unwrap(model)
    if not (is_typeddict(t.get_origin(plain) or plain) or is_base_model(plain)):
        raise AnnotationError(
            f"has the headers {show_type(model)!r}. Use a TypedDict or a BaseModel."
        )
    try:
        adapter = type_adapter(model)
    except SignatureError as error:
        problem = f"has the headers {show_type(model)!r}, but {error}"
        raise AnnotationError(problem) from error.__cause__
    optional = optional_keys(plain)
    fields: dict[str, HeaderField] = {}
    for name, info in model_fields(plain).items():
        if info.exclude:
            continue
        field = _read_field(name, info, model, is_required=name not in optional)
        if field.name.lower() in {other.name.lower() for other in fields.values()}:
            raise AnnotationError(
                f"has the header {field.name!r} of {show_type(model)!r} twice."
            )
        fields[info.serialization_alias or info.alias or name] = field
    return ResponseHeaders(adapter, fields)


def _read_field(
    name: str, info: FieldInfo, model: t.Any, *, is_required: bool
) -> HeaderField:
    """One header of a TypedDict or a model."""
    shown = f"{name!r} of {show_type(model)!r}"
    header = info.serialization_alias or info.alias or header_name(name)
    if not HEADER_NAME.fullmatch(header):
        raise AnnotationError(
            f"has the header {shown}, but {header!r} is no name of a header."
        )
    if header.lower() == "content-type":
        raise AnnotationError(
            f"has the header {shown}, but the content type belongs to the body. Use"
            " media_type= of the route, or return a Response that has it."
        )
    tp = annotate(info.annotation, info.metadata)
    values = list(_values_in(tp))
    is_cookie = header.lower() == SET_COOKIE
    if SetCookie in values and not is_cookie:
        raise AnnotationError(
            f"has a cookie in the header {shown}. Name the field 'set_cookie'."
        )
    for value in values:
        if value is not SetCookie and shape_of(value) is not Shape.SCALAR:
            raise AnnotationError(
                f"has the header {shown}, which may be {shape_of(value).value}. Use a"
                " single value, or a list of such."
            )
    return HeaderField(
        header,
        # Each is a header of its own.
        type_adapter(SetCookie if is_cookie else tp),
        is_required=is_required and not _may_be_absent(info.annotation),
        info=info,
    )


def _may_be_absent(annotation: t.Any) -> bool:
    types = (*members(annotation), *t.get_args(unwrap(annotation)))
    return any(tp in (NoneType, MISSING) for tp in types)


def _values_in(annotation: t.Any) -> Iterator[t.Any]:
    """The types of the single values of a header: ``int`` for ``list[int] | None``."""
    for tp in members(annotation):
        if shape_of(tp) is Shape.LIST:
            for item in t.get_args(tp):
                yield from (one for one in members(item) if one is not ...)
        elif tp is not NoneType:
            yield tp


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
        returns = read_returns(annotation)
    except AnnotationError as error:
        raise error.of(name) from error.__cause__
    model = _find_model(returns[None].model) if None in returns else None
    if model is not None and needs_status:
        shown = show_type(model)
        raise SignatureError(
            f"{name} is annotated with {shown!r}, but an error handler has no status of"
            f" its own. Write tuple[{shown}, Literal[409]], with the status that it"
            " sends."
        )
    return bool(returns.keys() - {None}) or model is not None


def sends_standard_error(annotation: t.Any) -> bool:
    """Whether an annotation has a response in the format of the application."""
    found = [getattr(x.annotation, "__metadata__", ()) for x in read_bodies(annotation)]
    return any(item is STANDARD_ERROR for metadata in found for item in metadata)


def _find_model(annotation: t.Any) -> t.Any:
    """A type with named fields in an annotation, ``None`` if there is none.

    Flask sends a dictionary, a list or a string without one.
    """
    plain = unwrap(annotation)
    if is_model(plain) or is_model(t.get_origin(plain)):
        return plain
    found = map(_find_model, t.get_args(plain))
    return next((tp for tp in found if tp is not None), None)
