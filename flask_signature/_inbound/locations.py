"""The properties of each location: what it can carry, how it is read and described."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial

from .._http.multidict import cookie_items
from .._http.multidict import file_items
from .._http.multidict import form_items
from .._http.multidict import plain_cookies
from .._http.multidict import plain_query
from .._http.multidict import query_items
from .._styles import EXPLODED_FORM
from .._styles import SIMPLE
from .._types.shapes import Shape
from ..params import Location
from .extract import compile_header_reader
from .extract import compile_reader
from .plain import PlainStrings
from .plain import compile_string_reader

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

    from .._styles import Style
    from .extract import Reader

SCALAR: t.Final = frozenset({Shape.SCALAR})
SCALAR_OR_LIST: t.Final = SCALAR | {Shape.LIST}
ANYTHING: t.Final = frozenset(Shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocationRow:
    """One location.

    :param argument: the shapes that an argument may have.
    :param item: the shapes that an item of a list may have.
    :param field: the shapes that a field of a model may have.
    :param advice: what to write instead of another shape, for messages.
    :param compile_reader: compiles what reads some input fields, ``None`` where Flask
        or a body plan reads the location.
    :param style: how a list is written that does not say it, ``None`` where there are
        no lists.
    :param parameter_in: where it is to OpenAPI, ``None`` where its arguments are no
        Parameter Objects, or are described with the variables of the rule.
    :param is_form: whether it is a part of a form, with names that are shared.
    """

    argument: frozenset[Shape]
    item: frozenset[Shape] = SCALAR
    field: frozenset[Shape] = frozenset()
    advice: str = ""
    compile_reader: Callable[..., Reader] | None = None
    style: Style | None = None
    parameter_in: str | None = None
    is_form: bool = False


LOCATIONS: t.Final[Mapping[Location, LocationRow]] = {
    Location.PATH: LocationRow(
        argument=SCALAR,
        advice="Give it a scalar type, or read it from the query.",
    ),
    Location.QUERY: LocationRow(
        argument=SCALAR_OR_LIST | {Shape.MODEL},
        field=SCALAR_OR_LIST,
        advice="Send it in a JSON body or a form.",
        compile_reader=partial(
            compile_string_reader, PlainStrings(plain_query, "&", query_items)
        ),
        style=EXPLODED_FORM,
        parameter_in="query",
    ),
    Location.HEADER: LocationRow(
        argument=SCALAR_OR_LIST | {Shape.MODEL},
        field=SCALAR_OR_LIST,
        advice="Send it in a JSON body or a form.",
        compile_reader=compile_header_reader,
        style=SIMPLE,
        parameter_in="header",
    ),
    Location.COOKIE: LocationRow(
        argument=SCALAR | {Shape.MODEL},
        field=SCALAR,
        advice="Send it in the query, a JSON body or a form.",
        compile_reader=partial(
            compile_string_reader, PlainStrings(plain_cookies, "; ", cookie_items)
        ),
        parameter_in="cookie",
    ),
    Location.BODY: LocationRow(argument=ANYTHING, item=ANYTHING, field=ANYTHING),
    Location.FORM: LocationRow(
        argument=ANYTHING,
        item=ANYTHING,
        field=ANYTHING,
        compile_reader=partial(compile_reader, form_items),
        is_form=True,
    ),
    Location.FILE: LocationRow(
        argument=SCALAR_OR_LIST | {Shape.FILE},
        item=SCALAR | {Shape.FILE},
        advice="Declare it with Form(), which may hold files and text.",
        compile_reader=partial(compile_reader, file_items),
        is_form=True,
    ),
}

#: The locations of a form: its strings and its files.
FORM_LOCATIONS: t.Final = frozenset(
    location for location, row in LOCATIONS.items() if row.is_form
)
