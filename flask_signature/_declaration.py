"""What a decorator was told about a route."""

from __future__ import annotations

import inspect
import typing as t
from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import fields
from dataclasses import replace
from functools import cache
from types import NoneType

from werkzeug.routing import Rule

from .exceptions import SignatureError
from .params import unknown_option

if t.TYPE_CHECKING:
    from pydantic.main import IncEx

    from .typing import Decorator


class _Unset:
    """Nothing was said, which is not the same as ``None``."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET: t.Final = _Unset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The options of a route that are ours, see :class:`.typing.OperationOptions`.

    A blueprint has one too, for what it says about all of its routes.
    """

    response_model: t.Any = UNSET
    status_code: int | None = None
    validate_response: bool | None = None
    response_model_by_alias: bool = True
    response_model_exclude_unset: bool = False
    response_model_exclude_defaults: bool = False
    response_model_exclude_none: bool = False
    response_model_include: IncEx | None = None
    response_model_exclude: IncEx | None = None
    responses: Mapping[int | str, t.Any] = field(default_factory=dict)
    response_description: str | None = None
    media_type: str | None = None
    etag: bool = False
    decorators: tuple[Decorator, ...] = ()
    tags: tuple[str, ...] = ()
    summary: str | None = None
    description: str | None = None
    operation_id: str | None = None
    deprecated: bool = False
    include_in_schema: bool = True
    openapi_extra: Mapping[str, t.Any] | None = None
    security: t.Any = UNSET
    callbacks: Mapping[str, t.Any] | None = None

    def within(self, outer: Declaration) -> Declaration:
        """What is left of it inside of a blueprint, which adds its own."""
        if outer == NOTHING_DECLARED:
            return self
        return replace(
            self,
            tags=tuple(dict.fromkeys(outer.tags + self.tags)),
            decorators=self.decorators + outer.decorators,
            responses={**outer.responses, **self.responses},
            include_in_schema=self.include_in_schema and outer.include_in_schema,
            deprecated=self.deprecated or outer.deprecated,
            security=outer.security if self.security is UNSET else self.security,
        )


#: What most routes and blueprints say.
NOTHING_DECLARED: t.Final = Declaration()

OPTIONS = frozenset(item.name for item in fields(Declaration))

#: Options that may be given as any iterable.
SEQUENCES = frozenset({"decorators", "tags"})


#: What an option takes, in words and as a check of the value or of each item.
KINDS: t.Final[dict[str, tuple[str, Callable[[t.Any], bool]]]] = {
    "tags": ("a list of texts", lambda item: isinstance(item, str)),
    "decorators": ("a list of functions", callable),
    **dict.fromkeys(
        (
            "summary",
            "description",
            "operation_id",
            "response_description",
            "media_type",
        ),
        ("a text", lambda value: isinstance(value, (str, NoneType))),
    ),
    **dict.fromkeys(
        ("responses", "openapi_extra", "callbacks"),
        ("a dictionary", lambda value: isinstance(value, (Mapping, NoneType))),
    ),
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
        ("True or False", lambda value: isinstance(value, bool)),
    ),
}


def read_options(
    options: Mapping[str, t.Any], rule_class: type[Rule]
) -> tuple[Declaration, dict[str, t.Any]]:
    """What the options of a route declare, and those that are left for Flask.

    :param rule_class: the class of the application's rules, which has options too.
    :raises SignatureError: if an option is neither ours nor one of the rule's.
    """
    own = {name: value for name, value in options.items() if name in OPTIONS}
    rest = {name: value for name, value in options.items() if name not in OPTIONS}
    # Rules have no hash, but their class has one.
    known = known_to(rule_class)  # type: ignore[arg-type]
    for name in rest.keys() - known:
        raise SignatureError(unknown_option(name, OPTIONS | known))
    if not own:
        return NOTHING_DECLARED, rest
    for name in own.keys() & SEQUENCES:
        if not isinstance(own[name], str):
            own[name] = tuple(own[name])
    for name, value in own.items():
        _refuse_wrong_type(name, value)
    if "security" in own:
        own["security"] = read_requirement(own["security"])
    return Declaration(**own), rest


def read_requirement(security: t.Any) -> t.Any:
    """What ``security=`` asks for, if it is given.

    :raises SignatureError: if it is no requirement.
    """
    if security is UNSET:
        return UNSET
    # Most applications that have no need of it have no use for its classes.
    from .security import read_security

    return read_security(security)


def _refuse_wrong_type(name: str, value: t.Any) -> None:
    if name not in KINDS:
        return
    words, fits = KINDS[name]
    if name in SEQUENCES and isinstance(value, str):
        raise SignatureError(f"Option {name!r} takes a list, not a text.")
    if not all(fits(item) for item in (value if name in SEQUENCES else [value])):
        raise SignatureError(f"Option {name!r} takes {words}, not {value!r}.")


@cache
def known_to(rule_class: type[Rule]) -> frozenset[str]:
    """The names of the options that Flask and a class of rules take."""
    names = set(inspect.signature(Rule).parameters)
    names |= set(inspect.signature(rule_class).parameters)
    return frozenset(names - {"string"} | {"provide_automatic_options"})
