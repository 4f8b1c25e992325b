"""What several rooms use: options that are unknown, styles, tokens, what is not set."""

from __future__ import annotations

import difflib
import re
import typing as t
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock

from werkzeug.datastructures import Headers
from werkzeug.exceptions import HTTPException
from werkzeug.utils import get_content_type
from werkzeug.wrappers import Response

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


#: What options are called here that have other names in other frameworks.
NAMES_HERE: t.Final = {"name": "endpoint", "prefix": "url_prefix", "regex": "pattern"}

#: What a key of the configuration is an option of.
CONFIGURATION: t.Final = "the configuration"

ALWAYS_VALIDATED: t.Final = (
    "A response is always validated; response_model=None sends what a view returns as"
    " it is."
)

#: What there is instead of an option that only others have, or that there was.
OPTIONS_INSTEAD: t.Final = {
    "response_class": (
        "Return a Response of that class, or name its content type with media_type=."
    ),
    "validate_response": ALWAYS_VALIDATED,
    "SIGNATURE_VALIDATE_RESPONSES": ALWAYS_VALIDATED,
}


def unknown_option(option: str, known: Iterable[str], of: str = "") -> str:
    """The message that refuses an option, with what there is instead.

    :param of: what it is an option of, where that is no route and no blueprint.
    """
    place = f" of {of}" if of else ""
    if option in OPTIONS_INSTEAD and of in ("", CONFIGURATION):
        return f"Unknown option {option!r}{place}. {OPTIONS_INSTEAD[option]}"
    names = frozenset(known)
    nearest = [name for name in [NAMES_HERE.get(option)] if name in names]
    nearest = nearest or difflib.get_close_matches(option, sorted(names), n=1)
    hint = f" Did you mean {nearest[0]!r}?" if nearest else ""
    return f"Unknown option {option!r}{place}.{hint}"


class Style(t.NamedTuple):
    """A style, and whether each item or field has a name of its own."""

    name: str
    explode: bool


#: The style of a model whose fields are parameters.
EXPLODED_FORM: t.Final = Style("form", explode=True)

#: That of a model whose fields have names such as ``order[name]``.
DEEP_OBJECT: t.Final = Style("deepObject", explode=True)

#: That of a header.
SIMPLE: t.Final = Style("simple", explode=False)

#: The styles that OpenAPI has for a location, the default first.
STYLES: t.Final[Mapping[str, tuple[Style, ...]]] = {
    "query": (
        EXPLODED_FORM,
        Style("form", explode=False),
        Style("spaceDelimited", explode=False),
        Style("pipeDelimited", explode=False),
        DEEP_OBJECT,
    ),
    "header": (SIMPLE, Style("simple", explode=True)),
}


def find_style(
    styles: tuple[Style, ...], name: str | None, explode: bool | None
) -> Style | None:
    """The first of some styles that fits, ``None`` where nothing was chosen.

    :raises ValueError: if there is none.
    """
    if name is None and explode is None:
        return None
    names = [*dict.fromkeys(style.name for style in styles)]
    name = names[0] if name is None else name
    if name not in names:
        known = " or ".join(map(repr, names))
        raise ValueError(f"OpenAPI has no style {name!r} there. Use {known}")
    for style in styles:
        if style.name == name and explode in (style.explode, None):
            return style
    raise ValueError(
        f"OpenAPI has no style {name!r} with explode={explode!r}. Remove explode="
    )


class Sentinel:
    """A value that is compared by identity, and shown by its name."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


#: An option that was not given.
UNSET = Sentinel("UNSET")

#: What ``responses=[404]`` declares of a status: the model of the error format.
STANDARD_ERROR = Sentinel("STANDARD_ERROR")

#: Source: RFC 9110, 5.6.2.
TOKEN: t.Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"

#: A media type, or all of one kind. Source: RFC 9110, 8.3.1 and 12.5.1.
CONTENT_TYPE: t.Final = re.compile(f"{TOKEN}/{TOKEN}")


def read_content_types(written: str) -> tuple[str, ...]:
    """The content types in a string: ``("image/png", "text/*")``.

    :raises ValueError: if one is no media type, or has a parameter.

    Source: OpenAPI 3.1, Encoding Object ``contentType``.
    """
    if not isinstance(written, str):
        raise ValueError(
            f"content_type={written!r} is no string. Write those of a file with commas"
            " between them: 'image/png, text/*'"
        )
    found = tuple(item.strip().lower() for item in written.split(","))
    for item in found:
        main, _, sub = item.partition("/")
        if not CONTENT_TYPE.fullmatch(item) or "*" in main or "*" in sub[:-1]:
            raise ValueError(
                f"{item!r} is no content type of a file. Use some such as 'image/png'"
                " or 'text/*', with commas between them, and without parameters"
            )
    return found


T = t.TypeVar("T")

#: Held while ``ast`` parses code: Python 3.11 counts how deep that is nested for all
#: threads together, and raises a ``SystemError`` where two parse at once.
PARSING: t.Final = Lock()


@dataclass(slots=True)
class Once(t.Generic[T]):
    """Calls a function for its value once, and returns the same value to every thread.

    Other threads wait until the value is finished. An exception of the function is
    raised to its caller, and the next call tries again.

    :param make: returns the value, which is not ``None``.
    """

    make: Callable[[], T]
    _lock: Lock = field(default_factory=Lock, init=False)
    _made: T | None = field(default=None, init=False)

    def __call__(self) -> T:
        """The value."""
        made = self._made
        if made is None:
            with self._lock:
                made = self._made
                if made is None:
                    made = self._made = self.make()
        return made


def name_set(names: Iterable[str]) -> frozenset[str]:
    """The set of some names, the same object for all of the same names.

    Most routes have one of a few, and the garbage collector looks at every object.
    """
    return _known_set(frozenset(names))


@lru_cache(maxsize=1024)
def _known_set(names: frozenset[str]) -> frozenset[str]:
    return names


def classes_with(cls: type, name: str) -> Iterator[type]:
    """The classes that define an attribute of a class, the one that counts first."""
    return (item for item in cls.__mro__ if name in vars(item))


#: What is a response already, with a status of its own.
RESPONSES: t.Final = (Response, HTTPException)

#: Cached: every response needs it, and it depends on its arguments alone.
content_type_of: t.Final = lru_cache(maxsize=64)(get_content_type)


def has_content(status: int) -> bool:
    """Whether a response of this status may have content.

    Source: RFC 9110, 6.4.1, 15.3.5, 15.3.6 and 15.4.5.
    """
    return status >= 200 and status not in (204, 205, 304)


def is_success(status: int) -> bool:
    """Whether a status says that the request was understood, accepted and acted on."""
    return 200 <= status < 300


def is_success_key(status: int | str) -> bool:
    """Whether a key of ``responses=`` is of successes: 201, or ``"2XX"``."""
    return status == "2XX" if isinstance(status, str) else is_success(status)


def status_code(status: t.Any) -> int:
    """The number of a status as Flask lets one write it: ``201``, ``"201 CREATED"``."""
    if isinstance(status, int):
        return int(status)
    number = str(status).strip().partition(" ")[0]
    # Werkzeug sends a status without a number as 0.
    return int(number) if number.isascii() and number.isdigit() else 200


def is_status(status: int | str) -> bool:
    """Whether a status has a number that HTTP has: 100 to 599. Source: RFC 9110, 15."""
    is_number = isinstance(status, int) or status[:3].isdecimal()
    return is_number and 100 <= status_code(status) <= 599


def split_response_tuple(value: tuple[t.Any, ...]) -> tuple[t.Any, t.Any, t.Any] | None:
    """The body, status and headers of a tuple, ``None`` where Flask will refuse it.

    ``(body, headers)`` has no status, ``(body, status)`` no headers.
    """
    if len(value) == 3:
        return value
    if len(value) != 2:
        return None
    body, second = value
    if isinstance(second, (Headers, dict, tuple, list)):
        return body, None, second
    return body, second, None
