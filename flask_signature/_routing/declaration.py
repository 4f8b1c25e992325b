"""What an author declares of an operation: the options of a route, checked."""

from __future__ import annotations

import inspect
import typing as t
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import Enum
from functools import cache
from types import NoneType

from werkzeug.routing import Rule

from .._common import STANDARD_ERROR, UNSET, is_status, unknown_option
from ..exceptions import SignatureError
from ..params import check_framework

if t.TYPE_CHECKING:
    from collections.abc import Collection

    from pydantic.main import IncEx

    from ..typing import Decorator


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The options of :class:`.typing.OperationOptions`, which Flask does not have.

    A blueprint has one too, for what it says about all of its routes.

    :ivar tags: ``None`` where they are those of the blueprint.
    :ivar added_tags: those of registrations of blueprints, which are no option.
    :ivar default_status: of the nearest blueprint that has one, or of the application,
        for a route without ``status_code=``; no option either.
    """

    response_model: t.Any = UNSET
    status_code: int | None = None
    response_model_by_alias: bool = True
    response_model_exclude_unset: bool = False
    response_model_exclude_defaults: bool = False
    response_model_exclude_none: bool = False
    response_model_include: IncEx | None = None
    response_model_exclude: IncEx | None = None
    responses: Mapping[int | str, t.Any] = field(default_factory=dict)
    raises: tuple[type[Exception], ...] = ()
    response_description: str | None = None
    media_type: str | None = None
    etag: bool = False
    decorators: tuple[Decorator, ...] = ()
    dependencies: tuple[t.Any, ...] = ()
    tags: tuple[str, ...] | None = None
    summary: str | None = None
    description: str | None = None
    operation_id: str | None = None
    deprecated: bool = False
    include_in_schema: bool = True
    openapi_extra: Mapping[str, t.Any] | None = None
    security: t.Any = UNSET
    callbacks: Mapping[str, t.Any] | None = None
    added_tags: tuple[str, ...] = ()
    default_status: int | None = None

    @property
    def all_tags(self) -> tuple[str, ...]:
        """The tags of an operation: those of registrations first, none twice."""
        return tuple(dict.fromkeys(self.added_tags + (self.tags or ())))

    @property
    def named_fields(self) -> dict[str, IncEx]:
        """The options that name fields of the response model, as Pydantic has them."""
        options = {
            "include": self.response_model_include,
            "exclude": self.response_model_exclude,
        }
        return {name: value for name, value in options.items() if value}

    @property
    def serializer_options(self) -> dict[str, t.Any]:
        """What is sent of the model of a success, as Pydantic's options."""
        options = {
            "exclude_unset": self.response_model_exclude_unset,
            "exclude_defaults": self.response_model_exclude_defaults,
            "exclude_none": self.response_model_exclude_none,
            **self.named_fields,
        }
        chosen = {name: value for name, value in options.items() if value}
        return {"by_alias": self.response_model_by_alias, **chosen}

    @property
    def guards_views(self) -> bool:
        """Whether a blueprint has something that plain views in it need, too."""
        has_functions = bool(self.decorators or self.dependencies)
        return has_functions or self.security is not UNSET

    def within(self, outer: Declaration) -> Declaration:
        """The declaration inside of a blueprint, with what that adds.

        The nearest tags count, the nearest security and the nearest default status.

        :param outer: of the blueprint.
        """
        if outer == NOTHING_DECLARED:
            return self
        status = self.default_status
        return replace(
            self,
            **self._joined_with(outer),
            tags=outer.tags if self.tags is None else self.tags,
            added_tags=outer.added_tags + self.added_tags,
            include_in_schema=self.include_in_schema and outer.include_in_schema,
            deprecated=self.deprecated or outer.deprecated,
            security=outer.security if self.security is UNSET else self.security,
            default_status=outer.status_code if status is None else status,
        )

    def _joined_with(self, outer: Declaration) -> dict[str, t.Any]:
        """The options that add up to those of an outer declaration."""
        return {
            "decorators": self.decorators + outer.decorators,
            "dependencies": outer.dependencies + self.dependencies,
            "raises": tuple(dict.fromkeys(self.raises + outer.raises)),
            "responses": {**outer.responses, **self.responses},
        }

    def registered_with(self, registration: Declaration) -> Declaration:
        """The declaration of a blueprint with those of ``register_blueprint()``."""
        replaced = {
            name: value
            for name, value in registration.given_options().items()
            if name in ("security", "status_code")
        }
        return replace(self.within(registration), **replaced)

    def given_options(self) -> dict[str, t.Any]:
        """The options that differ from those of a route without any, by name."""
        values = {name: getattr(self, name) for name in OPTIONS}
        return {
            name: value
            for name, value in values.items()
            if value != getattr(NOTHING_DECLARED, name)
        }

    def added_to(self, earlier: Declaration) -> Declaration:
        """An earlier declaration with the options of this one."""
        added = {
            "decorators": earlier.decorators + self.decorators,
            "dependencies": earlier.dependencies + self.dependencies,
            "raises": tuple(dict.fromkeys(earlier.raises + self.raises)),
            "operation_id": self.operation_id,
        }
        return replace(earlier, **{**self.given_options(), **added})

    def for_method(self, own: Mapping[str, t.Any]) -> Declaration:
        """The declaration of one method of a class, whose own options take precedence.

        :param own: those of the method, read, by name.
        """
        if not own:
            return self
        return replace(self, **{**own, **Declaration(**own)._joined_with(self)})

    def decorate(self, view: Callable[..., t.Any]) -> Callable[..., t.Any]:
        """A view function in the decorators, the first of which is the innermost."""
        for decorator in self.decorators:
            view = decorator(view)
        return view


#: The declaration of most routes and blueprints, which give no option.
NOTHING_DECLARED: t.Final = Declaration()

OPTIONS = frozenset(item.name for item in fields(Declaration)) - {
    *("added_tags", "default_status")
}

#: Those that a blueprint has, and a registration of it.
SCOPE_OPTIONS: t.Final = frozenset(
    {"decorators", "dependencies", "deprecated", "include_in_schema", "raises"}
    | {"responses", "security", "status_code", "tags"}
)

#: Those of which a method of a class adds its own to those of the rule.
JOINED_OPTIONS: t.Final = frozenset(
    {"decorators", "dependencies", "raises", "responses"}
)


def read_declaration(own: Mapping[str, t.Any]) -> Declaration:
    """What some of our options declare.

    :raises SignatureError: if one is of the wrong type.
    """
    if not own:
        return NOTHING_DECLARED
    read = dict(own)
    for name in ("responses", "status_code", "tags"):
        if read.get(name, ()) is None:
            del read[name]
    for name in read.keys() & SEQUENCES:
        if isinstance(read[name], Iterable) and not isinstance(read[name], str):
            read[name] = tuple(read[name])
    if "responses" in read:
        read["responses"] = responses_by_status(read["responses"])
    for name, value in read.items():
        check_kind(name, value)
    if "tags" in read:
        read["tags"] = tuple(map(plain_tag, read["tags"]))
    if read.get("security", UNSET) is not UNSET:
        # Most applications that have no need of it have no use for its classes.
        from ..security import read_security

        read["security"] = read_security(read["security"])
    return Declaration(**read)


#: The options of ``register_blueprint()`` that are Flask's own.
REGISTRATION_OPTIONS: t.Final = frozenset(
    {"cli_group", "name", "name_prefix", "subdomain", "url_defaults", "url_prefix"}
)


def check_rule_options(
    names: Iterable[str], takers: Iterable[Callable[..., t.Any]]
) -> None:
    """Refuse the options of a rule that have no effect, and misspelled ones."""
    signatures = [_parameters_of(taker) for taker in takers]
    known = RULE_OPTIONS.union(*(names for names, _ in signatures))
    takes_any = any(takes_any for _, takes_any in signatures)
    for name in names:
        if name in known or (takes_any and not get_close_matches(name, OPTIONS, n=1)):
            continue
        raise SignatureError(unknown_option(name, OPTIONS | known))


def read_registration(
    options: Mapping[str, t.Any], *, may_have_others: bool
) -> tuple[Declaration, dict[str, t.Any]]:
    """What ``register_blueprint()`` declares, and the options that are left for Flask.

    :param may_have_others: whether custom options may be looked for.
    :raises SignatureError: if an option is not known, or of the wrong type.
    """
    own, rest = split_options(options, SCOPE_OPTIONS)
    known = SCOPE_OPTIONS | REGISTRATION_OPTIONS
    for name in rest.keys() - REGISTRATION_OPTIONS:
        if not may_have_others or get_close_matches(name, known, n=1):
            raise SignatureError(unknown_option(name, known))
    for name in own.keys() & SEQUENCES:
        # It would be empty where a blueprint is registered again.
        if isinstance(own[name], Iterator):
            raise SignatureError(f"Option {name!r} takes a list, not an iterator.")
    declaration = read_declaration(own)
    # They are kept beside those of what is inside, which does not replace them.
    declaration = replace(declaration, tags=None, added_tags=declaration.tags or ())
    if declaration.security is not UNSET and not any(declaration.security.alternatives):
        raise SignatureError(
            f"Option 'security' may not be {own['security']!r} where a blueprint is"
            " registered: who reads the blueprint would not know that it is open. Say"
            " it there, or on its routes."
        )
    return declaration, rest


def split_options(
    options: Mapping[str, t.Any], ours: Collection[str] = OPTIONS
) -> tuple[dict[str, t.Any], dict[str, t.Any]]:
    """The options of this package, and those that are left for Flask."""
    own = {name: value for name, value in options.items() if name in ours}
    rest = {name: value for name, value in options.items() if name not in ours}
    return own, rest


@cache
def _parameters_of(taker: Callable[..., t.Any]) -> tuple[frozenset[str], bool]:
    """The names that a callable takes by keyword, and whether it takes any other."""
    parameters = inspect.signature(taker).parameters
    kinds = [parameter.kind for parameter in parameters.values()]
    return frozenset(parameters), inspect.Parameter.VAR_KEYWORD in kinds


#: The options of a rule that Flask and Werkzeug take.
RULE_OPTIONS: t.Final = frozenset(
    _parameters_of(Rule)[0] - {"string"} | {"provide_automatic_options"}
)

#: Options that may be given as any iterable.
SEQUENCES = frozenset({"decorators", "dependencies", "raises", "tags"})


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


#: What an option takes, in words and as a check of the value, by its annotation.
KINDS_OF_TYPES: t.Final[dict[t.Any, tuple[str, Callable[[t.Any], bool]]]] = {
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "str | None": ("a string", lambda value: isinstance(value, (str, NoneType))),
    "Mapping[str, t.Any] | None": ("a dictionary", _is_mapping),
    "IncEx | None": (
        "a set of names or a dictionary",
        lambda value: isinstance(value, (Set, Mapping, NoneType)),
    ),
}

#: The same by option; what takes several has each item checked.
OPTION_KINDS: t.Final = {
    **{item.name: KINDS_OF_TYPES.get(item.type) for item in fields(Declaration)},
    "tags": ("a list of strings", _is_tag),
    "decorators": ("a list of functions", callable),
    "raises": ("a list of exceptions", is_exception),
    # Each is looked at when a view is registered, with all that it depends on.
    "dependencies": (
        "a list of functions",
        lambda item: not isinstance(item, (str, bytes, NoneType)),
    ),
    "responses": ("a dictionary or a list of statuses", _is_mapping),
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


def read_responses_option(name: str, responses: t.Any) -> Mapping[t.Any, t.Any]:
    """The option ``responses=`` of a dependency or a scheme, by status.

    :param name: for messages.
    :raises SignatureError: if it can't be read.
    """
    found = responses_by_status(responses)
    if isinstance(found, Mapping):
        return found
    raise SignatureError(
        f"{name} has responses={responses!r}, which is no dictionary. Write"
        " responses={404: Problem}, or responses=[404]."
    )


def check_kind(name: str, value: t.Any) -> None:
    """Refuse the value of an option that takes something else.

    :param value: a tuple in place of a list.
    :raises SignatureError: if it does.
    """
    if name == "status_code" and not (isinstance(value, int) and is_status(value)):
        raise SignatureError(f"{name}={value!r} is no HTTP status. Use 100 to 599.")
    kind = OPTION_KINDS.get(name)
    if kind is None:
        return
    words, fits = kind
    is_list = isinstance(value, tuple)
    if name in SEQUENCES and not is_list and fits(value):
        raise SignatureError(
            f"Option {name!r} takes {words}. Write {name}=[{_show_option(value)}]."
        )
    items = value if name in SEQUENCES and is_list else [value]
    for item in items if name == "raises" else ():
        check_framework(f"Option {name!r}", item)
    if not all(map(fits, items)):
        raise SignatureError(f"Option {name!r} takes {words}, not {value!r}.")


def _show_option(item: t.Any) -> str:
    """An item of a list as its author writes it: ``"'Items'"``, ``"Tags.ITEMS"``."""
    if isinstance(item, Enum):
        return str(Enum.__str__(item))
    if isinstance(item, str):
        return repr(item)
    name = str(getattr(item, "__name__", ""))
    return name if name.isidentifier() else "..."
