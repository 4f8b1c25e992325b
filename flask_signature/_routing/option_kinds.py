"""What an option of a route or a blueprint takes, and what to write instead."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping, Set
from enum import Enum
from types import NoneType

from .._sentinel import STANDARD_ERROR
from ..exceptions import SignatureError

#: Options that may be given as any iterable.
SEQUENCES = frozenset({"decorators", "dependencies", "raises", "tags"})


def _is_switch(value: t.Any) -> bool:
    return isinstance(value, bool)


def is_exception(value: t.Any) -> bool:
    """Whether a value is a class of exceptions."""
    return isinstance(value, type) and issubclass(value, Exception)


def _is_mapping(value: t.Any) -> bool:
    return isinstance(value, (Mapping, NoneType))


def plain_tag(tag: t.Any) -> t.Any:
    """A tag as the document has it: the value of a member of an ``Enum``."""
    return tag.value if isinstance(tag, Enum) else tag


def _is_tag(value: t.Any) -> bool:
    return isinstance(plain_tag(value), str)


#: What an option takes, in words and as a check of the value or of each item.
OPTION_KINDS: t.Final[dict[str, tuple[str, Callable[[t.Any], bool]]]] = {
    "tags": ("a list of strings", _is_tag),
    "decorators": ("a list of functions", callable),
    "raises": ("a list of exceptions", is_exception),
    # Each is looked at when a view is registered, with all that it depends on.
    "dependencies": (
        "a list of functions",
        lambda item: not isinstance(item, (str, bytes, NoneType)),
    ),
    **dict.fromkeys(
        ("response_model_include", "response_model_exclude"),
        (
            "a set of names or a dictionary",
            lambda value: isinstance(value, (Set, Mapping, NoneType)),
        ),
    ),
    **dict.fromkeys(
        (
            "summary",
            "description",
            "operation_id",
            "response_description",
            "media_type",
        ),
        ("a string", lambda value: isinstance(value, (str, NoneType))),
    ),
    "responses": ("a dictionary or a list of statuses", _is_mapping),
    **dict.fromkeys(("openapi_extra", "callbacks"), ("a dictionary", _is_mapping)),
    **dict.fromkeys(
        (
            "deprecated",
            "include_in_schema",
            "etag",
            "response_model_by_alias",
            "response_model_exclude_unset",
            "response_model_exclude_defaults",
            "response_model_exclude_none",
        ),
        ("True or False", _is_switch),
    ),
}

#: The statuses of errors. Source: RFC 9110, 15.5 and 15.6.
ERRORS: t.Final = range(400, 600)


def responses_by_status(responses: t.Any) -> t.Any:
    """What ``responses=`` declares: ``[404]`` becomes ``{404: STANDARD_ERROR}``.

    :raises SignatureError: if a list has something else than the status of an error.
    """
    if not isinstance(responses, (list, tuple, Set)):
        return responses
    for status in responses:
        if type(status) is bool or status not in ERRORS:
            raise SignatureError(
                f"Option 'responses' has {status!r} in a list, which is for the"
                " statuses of errors, 400 to 599. Give another response a model:"
                " responses={202: Receipt}."
            )
    return {int(status): STANDARD_ERROR for status in responses}


def check_kind(name: str, value: t.Any) -> None:
    """Refuse the value of an option that takes something else.

    :param value: a tuple in place of a list.
    :raises SignatureError: if it does.
    """
    if name not in OPTION_KINDS:
        return
    words, fits = OPTION_KINDS[name]
    if name in SEQUENCES and not isinstance(value, tuple):
        if fits(value):
            raise SignatureError(
                f"Option {name!r} takes {words}. Write {name}=[{_show_option(value)}]."
            )
        raise SignatureError(f"Option {name!r} takes {words}, not {value!r}.")
    if not all(fits(item) for item in (value if name in SEQUENCES else [value])):
        raise SignatureError(f"Option {name!r} takes {words}, not {value!r}.")


def _show_option(item: t.Any) -> str:
    """An item of a list as its author writes it: ``"'Items'"``, ``"Tags.ITEMS"``."""
    if isinstance(item, Enum):
        return str(Enum.__str__(item))
    if isinstance(item, str):
        return repr(item)
    name = str(getattr(item, "__name__", ""))
    return name if name.isidentifier() else "..."
