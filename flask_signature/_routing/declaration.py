"""What a route or a blueprint declares: the options that are ours, checked.

The options go in, a :class:`Declaration` comes out.
"""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

from .._sentinel import UNSET
from .option_kinds import SEQUENCES, check_kind, plain_tag, responses_by_status

if t.TYPE_CHECKING:
    from pydantic.main import IncEx

    from ..typing import Decorator


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The options of a route that are ours, see :class:`.typing.OperationOptions`.

    A blueprint has one too, for what it says about all of its routes.

    :ivar tags: ``None`` where they are those of the blueprint.
    :ivar added_tags: those of registrations of blueprints, which are no option.
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

        The nearest tags win, and so does the nearest security.

        :param outer: of the blueprint.
        """
        if outer == NOTHING_DECLARED:
            return self
        return replace(
            self,
            tags=outer.tags if self.tags is None else self.tags,
            added_tags=outer.added_tags + self.added_tags,
            decorators=self.decorators + outer.decorators,
            dependencies=outer.dependencies + self.dependencies,
            responses={**outer.responses, **self.responses},
            raises=tuple(dict.fromkeys(self.raises + outer.raises)),
            include_in_schema=self.include_in_schema and outer.include_in_schema,
            deprecated=self.deprecated or outer.deprecated,
            security=outer.security if self.security is UNSET else self.security,
        )

    def registered_with(self, registration: Declaration) -> Declaration:
        """The declaration of a blueprint with those of ``register_blueprint()``."""
        together = self.within(registration)
        if registration.security is UNSET:
            return together
        return replace(together, security=registration.security)

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
        """The declaration of one method of a class, whose own options win.

        :param own: those of the method, read, by name.
        """
        if not own:
            return self
        joined = {
            "decorators": own.get("decorators", ()) + self.decorators,
            "dependencies": self.dependencies + own.get("dependencies", ()),
            "responses": {**self.responses, **own.get("responses", {})},
            "raises": tuple(dict.fromkeys(own.get("raises", ()) + self.raises)),
        }
        return replace(self, **{**own, **joined})

    def decorate(self, view: Callable[..., t.Any]) -> Callable[..., t.Any]:
        """A view function in the decorators, the first of which is the innermost."""
        for decorator in self.decorators:
            view = decorator(view)
        return view


#: The declaration of most routes and blueprints, which give no option.
NOTHING_DECLARED: t.Final = Declaration()

OPTIONS = frozenset(item.name for item in fields(Declaration)) - {"added_tags"}

#: Those that a blueprint has, and a registration of it.
SCOPE_OPTIONS: t.Final = frozenset(
    {
        "decorators",
        "dependencies",
        "deprecated",
        "include_in_schema",
        "raises",
        "responses",
        "security",
        "tags",
    }
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
    for name in ("responses", "tags"):
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
