"""The headers of a response, and what its status says of it.

A headers model goes in when a view is compiled, pairs of strings come out for each
response. Source: RFC 9110, 5.5 and 6.4.1.
"""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from types import NoneType

from pydantic_core import MISSING, to_jsonable_python
from typing_extensions import is_typeddict
from werkzeug.datastructures import Headers
from werkzeug.http import http_date

from .._common import TOKEN
from .._signature.argument import header_name
from .._types.adapters import type_adapter
from .._types.annotations import (
    Shape,
    annotate,
    is_base_model,
    members,
    shape_of,
    show_type,
    unwrap,
)
from .._types.models import model_fields, optional_keys
from ..cookies import SetCookie
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic.fields import FieldInfo

    from .._types.adapters import Adapter


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
        for key, field in self.fields.items():
            for line in _lines_of(field.name, written.get(key)):
                headers.add(field.name, line)
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

    :raises SignatureError: if one of its fields can't be a header.
    """
    plain = unwrap(model)
    if not (is_typeddict(t.get_origin(plain) or plain) or is_base_model(plain)):
        raise SignatureError(
            f"has the headers {show_type(model)!r}. Use a TypedDict or a BaseModel."
        )
    adapter = _headers_adapter(model)
    optional = optional_keys(plain)
    fields: dict[str, HeaderField] = {}
    for name, info in model_fields(plain).items():
        if info.exclude:
            continue
        field = _read_field(name, info, model)
        if name in optional:
            field = replace(field, is_required=False)
        if field.name.lower() in {other.name.lower() for other in fields.values()}:
            raise SignatureError(
                f"has the header {field.name!r} of {show_type(model)!r} twice."
            )
        fields[info.serialization_alias or info.alias or name] = field
    return ResponseHeaders(adapter, fields)


def _headers_adapter(model: t.Any) -> Adapter:
    """What writes the headers.

    :raises SignatureError: if Pydantic can't read the type of one of them.
    """
    try:
        return type_adapter(model)
    except SignatureError as error:
        problem = f"has the headers {show_type(model)!r}, but {error}"
        raise SignatureError(problem) from error.__cause__


def _read_field(name: str, info: FieldInfo, model: t.Any) -> HeaderField:
    """One header of a TypedDict or a model.

    :raises SignatureError: if it can't be one.
    """
    shown = f"{name!r} of {show_type(model)!r}"
    header = info.serialization_alias or info.alias or header_name(name)
    if not HEADER_NAME.fullmatch(header):
        raise SignatureError(
            f"has the header {shown}, but {header!r} is no name of a header."
        )
    if header.lower() == "content-type":
        raise SignatureError(
            f"has the header {shown}, but the content type belongs to the body. Use"
            " media_type= of the route, or return a Response that has it."
        )
    tp = annotate(info.annotation, info.metadata)
    values = list(_values_in(tp))
    is_cookie = header.lower() == SET_COOKIE
    if SetCookie in values and not is_cookie:
        raise SignatureError(
            f"has a cookie in the header {shown}. Name the field 'set_cookie'."
        )
    for value in values:
        if value is not SetCookie and shape_of(value) is not Shape.SCALAR:
            raise SignatureError(
                f"has the header {shown}, which may be {shape_of(value).value}. Use a"
                " single value, or a list of such."
            )
    return HeaderField(
        header,
        # Each is a header of its own.
        type_adapter(SetCookie if is_cookie else tp),
        is_required=not _may_be_absent(info.annotation),
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
