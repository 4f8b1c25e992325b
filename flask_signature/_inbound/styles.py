"""Lists and models that are one parameter, taken apart by their style.

A style goes in when a view is compiled, a function comes out that makes a list or a
dict of a string in the query or in a header.

Source: OpenAPI 3.1, Style Values and Style Examples.
"""

from __future__ import annotations

import re
import typing as t

from werkzeug.http import parse_list_header, unquote_header_value

from .._styles import DEEP_OBJECT, EXPLODED_FORM
from .._types.shapes import Shape
from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .._signature.argument import Argument
    from .field_names import FieldName

    #: Changes a value before Pydantic validates it, ``None`` where it is left as it is.
    Conversion: t.TypeAlias = Callable[[t.Any], t.Any] | None

#: A character that is escaped in a quoted string. Source: RFC 9110, 5.6.4.
ESCAPED: t.Final = re.compile(r"\\.?")

#: What stands between the items of a list in the query.
DELIMITERS: t.Final = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}


def delimiter_of(argument: Argument) -> str | None:
    """What stands between the items of an argument, ``None`` where each has a name.

    Header fields have commas by themselves.
    """
    style = argument.marker.style
    if style is None or style == EXPLODED_FORM:
        return None
    return DELIMITERS.get(style.name)


def check_style(argument: Argument, view: str) -> None:
    """Refuse a style that a value of some type can't have.

    :raises SignatureError: if it is a single value, or a list as a ``deepObject``.
    """
    style, shapes = argument.marker.style, argument.type.shapes
    if style is None or Shape.MODEL in shapes:
        return
    if style == DEEP_OBJECT and Shape.LIST in shapes:
        raise SignatureError(
            f"{argument.name!r} of {view} is a list, and only a model can have the"
            " style 'deepObject'. Use another style, or a model."
        )
    if Shape.LIST not in shapes:
        raise SignatureError(
            f"{argument.name!r} of {view} is a single value, and only lists and models"
            " have a style. Remove style= and explode=, or annotate a list."
        )


def check_fields(argument: Argument, view: str, fields: Iterable[FieldName]) -> None:
    """Refuse what a model that is one parameter can't hold.

    :raises SignatureError: if a field is no single value, or the model is no object.
    """
    for field in fields:
        for shape in field.type.shapes - {Shape.SCALAR}:
            raise SignatureError(
                f"the field {field.name!r} of {argument.name!r} of {view} is"
                f" {shape.value}, and a model with a style holds single values alone."
                " Send it in a JSON body or a form."
            )
    if any(hasattr(model, "_make") for model in argument.type.models):
        raise SignatureError(
            f"{argument.name!r} of {view} is a NamedTuple, which OpenAPI describes as"
            " an array, and has the style of an object. Use a model or a dataclass."
        )


def split_list(delimiter: str, convert: Conversion) -> Callable[[str], list[t.Any]]:
    """A function that makes a list of a string: ``"1,2"`` is ``["1", "2"]``.

    :param convert: changes each item.
    """

    def split(value: str) -> list[t.Any]:
        items = value.split(delimiter) if value else []
        return [convert(item) for item in items] if convert else items

    return split


def read_object(
    argument: Argument, conversions: Mapping[str, Conversion]
) -> Callable[[t.Any], t.Any]:
    """A function that makes a dict of the value of a model that is one parameter.

    What can't be one is left a string, which Pydantic refuses.

    :param conversions: of the values of its fields, by their keys.
    """
    pairs_of = _pairs_function(argument)

    def read(value: t.Any) -> t.Any:
        pairs = pairs_of(value)
        if pairs is None:
            return value
        found: dict[str, t.Any] = {}
        for key, item in pairs:
            convert = conversions.get(key)
            found.setdefault(key, convert(item) if convert else item)
        return found

    return read


def _pairs_function(
    argument: Argument,
) -> Callable[[t.Any], Iterable[tuple[str, t.Any]] | None]:
    style = argument.marker.style
    if style == DEEP_OBJECT:
        return dict.items
    delimiter = delimiter_of(argument)
    if delimiter is not None:
        split = split_list(delimiter, None)
        return lambda value: _in_pairs(split(value))
    if style is not None and style.explode:
        return lambda value: _with_equals_signs(parse_list_header(value))
    return lambda value: _in_pairs(_header_items(value))


def _header_items(value: str) -> list[str]:
    """The items between the commas of a header, blank ones too, since values may be.

    Werkzeug's ``parse_list_header`` leaves those out, as lists do (RFC 9110, 5.6.1).
    """
    items, begun, is_quoted = list[str](), list[str](), False
    for part in value.split(",") if value.strip() else ():
        begun.append(part)
        is_quoted ^= ESCAPED.sub("", part).count('"') % 2 == 1
        if not is_quoted:
            items.append(",".join(begun))
            begun = []
    return [unquote_header_value(item.strip()) for item in (*items, *begun)]


def _in_pairs(items: list[str]) -> Iterable[tuple[str, str]] | None:
    """``["x", "1", "y", "2"]`` is ``[("x", "1"), ("y", "2")]``."""
    if len(items) % 2:
        return None
    return zip(items[::2], items[1::2], strict=True)


def _with_equals_signs(items: list[str]) -> Iterable[tuple[str, str]] | None:
    """``["x=1", "y=2"]`` is ``[("x", "1"), ("y", "2")]``."""
    parts = [item.partition("=") for item in items]
    if not all(sign for _, sign, _ in parts):
        return None
    return [
        (name.strip(), unquote_header_value(value.strip())) for name, _, value in parts
    ]
