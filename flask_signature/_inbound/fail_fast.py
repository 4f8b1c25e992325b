"""Core schemas whose validators leave most of what is wrong with a large input unsaid.

Pydantic builds an error for each value that fails, and copies a part of a JSON input
into each. A core schema goes in; out comes one that gives the same values, but builds
few errors and copies little into them. The validation of large inputs uses it.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import replace

from pydantic_core import core_schema

from .._errors.format import MissingValue
from .._errors.format import NotChosen
from .core_schemas import INNER_KEYS
from .core_schemas import LISTS
from .core_schemas import OBJECTS
from .core_schemas import SCALARS
from .core_schemas import WRAPPERS
from .core_schemas import Definitions
from .core_schemas import choices_of
from .core_schemas import fields_of
from .core_schemas import is_required
from .core_schemas import loc_of
from .stop import Path
from .stop import Position
from .stop import as_choice
from .stop import stop_at_extras
from .stop import stop_if_absent
from .stop import stop_on_error
from .stop import with_record
from .stop import without_default

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

#: The errors that may be built for the fields of an object and what is in them.
MAX_ERRORS: t.Final = 200

#: What a schema counts as that contains itself. Beside another of that kind, or beside
#: many fields, it would have as many errors as the input has values.
RECURSIVE_ERRORS: t.Final = MAX_ERRORS - 20

#: The error of a union, which drops those of its choices.
UNION_ERROR: t.Final = {
    "custom_error_type": NotChosen.type,
    "custom_error_message": NotChosen.msg,
}


def fail_fast_schema(schema: t.Any, *, max_errors: int = MAX_ERRORS) -> t.Any:
    """The schema of a validator that gives the same values, and builds few errors.

    It may raise :exc:`StopValidation` instead of an error.

    :param max_errors: for an object and what is in it, ``0`` to have none at all.
    """
    return _Rewriter(max_errors).rewrite_value(schema, Position()).schema


@dataclass(frozen=True, slots=True)
class FailFast:
    """A schema that builds few errors.

    :param errors: it builds at most so many.
    :param omits: whether a value that is wrong may be left out.
    """

    schema: t.Any
    errors: int = 1
    omits: bool = False


class Mode(t.NamedTuple):
    """How schemas are written anew.

    :param may_stop: whether they may end the validation.
    :param in_union: whether they are in a choice of a union.
    """

    may_stop: bool = True
    in_union: bool = False

    def __str__(self) -> str:
        return f"{self.may_stop:d}{self.in_union:d}"


class _Rewriter:
    """Writes core schemas anew.

    :param max_errors: where a schema may have more, it stops at its first.
    """

    def __init__(self, max_errors: int) -> None:
        self._max_errors = max_errors
        self._definitions = Definitions()
        self._known: dict[tuple[str, Mode], FailFast] = {}
        #: Of the model around a schema.
        self._config: Mapping[str, t.Any] = {}
        self._mode = Mode()

    def rewrite_value(self, schema: t.Any, position: Position) -> FailFast:
        """The schema of a whole value, such as an item of a list."""
        found = self.rewrite(schema, position)
        return self._stopping(schema, found, position, room=self._max_errors)

    def rewrite(self, schema: t.Any, position: Position) -> FailFast:
        """The schema in its place, as it is where nothing is known of it."""
        outer = self._config
        self._config = schema.get("config") or outer
        found = self._rewrite(schema, position)
        self._config = outer
        return found

    def _rewrite(self, schema: t.Any, position: Position) -> FailFast:
        kind = schema["type"]
        if kind in OBJECTS:
            return self._object(schema, position)
        if kind in LISTS:
            changed, found = self._inside(schema, position.item(), self.rewrite_value)
            errors = sum(item.errors for item in found)
            return FailFast({**changed, "fail_fast": True}, errors or 1)
        if kind in WRAPPERS:
            return self._wrapper(schema, position)
        if kind == "definition-ref":
            return self._reference(schema)
        if kind == "definitions":
            return self._with_definitions(schema, position)
        if kind == "tagged-union":
            return self._tagged_union(schema, position)
        if kind == "union":
            return self._union(schema, position)
        # A function that calls the schema inside of it may look at its errors.
        return FailFast(with_record(schema))

    def _stopping(
        self, schema: t.Any, found: FailFast, position: Position, *, room: int
    ) -> FailFast:
        """A schema that ends the validation where it has more errors than fit.

        :param schema: that it was written from.
        """
        if found.errors <= room or found.omits or not self._mode.may_stop:
            return found
        if schema["type"] == "default":
            inner = stop_on_error(found.schema["schema"], position)
            return FailFast({**found.schema, "schema": inner}, 0)
        if self._definitions.has_default(schema):
            return found
        return FailFast(stop_on_error(found.schema, position), 0)

    def _inside(
        self,
        schema: t.Any,
        position: Position,
        rewrite: Callable[[t.Any, Position], FailFast],
    ) -> tuple[t.Any, list[FailFast]]:
        """A schema with those inside of it written anew, and these."""
        changed, found = dict(schema), []
        for key in INNER_KEYS:
            inner = schema.get(key)
            if isinstance(inner, dict):
                found.append(rewrite(inner, position))
                changed[key] = found[-1].schema
            elif inner:
                items = [rewrite(item, position) for item in inner]
                changed[key] = [item.schema for item in items]
                found += items
        return changed, found

    def _wrapper(self, schema: t.Any, position: Position) -> FailFast:
        if schema.get("custom_init"):
            # The class validates in its own way.
            return FailFast(schema)
        on_error = schema.get("on_error", "raise")
        if on_error != "raise" and self._mode.in_union:
            # Which choice fits best depends on all the values, also on those that are
            # wrong and left out.
            return FailFast(schema, omits=on_error == "omit")
        recorded = with_record(schema)
        changed, found = self._inside(recorded, position, self.rewrite)
        if on_error != "raise" or schema["type"] == "custom-error":
            return FailFast(changed, omits=on_error == "omit")
        errors = sum(item.errors for item in found)
        return FailFast(changed, errors, any(item.omits for item in found))

    def _with_definitions(self, schema: t.Any, position: Position) -> FailFast:
        own = {item["ref"]: item for item in schema["definitions"]}
        self._definitions.update(own)
        found = self.rewrite(schema["schema"], position)
        written = [item.schema for (ref, _), item in self._known.items() if ref in own]
        definitions = [*schema["definitions"], *written]
        changed = {**schema, "schema": found.schema, "definitions": definitions}
        return replace(found, schema=changed)

    def _reference(self, schema: t.Any) -> FailFast:
        """A reference to a schema that is written anew beside the original one."""
        ref = schema["schema_ref"]
        key = ref, self._mode
        new_ref = f"{ref}:fail-fast-{self._mode}"
        if key not in self._known:
            self._known[key] = FailFast({}, RECURSIVE_ERRORS)
            found = self.rewrite(self._definitions[ref], Position(is_exact=False))
            self._known[key] = replace(found, schema={**found.schema, "ref": new_ref})
        return replace(self._known[key], schema={**schema, "schema_ref": new_ref})

    def _tagged_union(self, schema: t.Any, position: Position) -> FailFast:
        found = {tag: self.rewrite(x, position) for tag, x in schema["choices"].items()}
        choices = {tag: item.schema for tag, item in found.items()}
        errors = max(item.errors for item in found.values())
        omits = any(item.omits for item in found.values())
        return FailFast({**schema, "choices": choices}, errors, omits)

    def _union(self, schema: t.Any, position: Position) -> FailFast:
        if all(choice["type"] in SCALARS for choice in choices_of(schema)):
            return FailFast({**UNION_ERROR, **schema})
        choices: list[t.Any] = []
        omits = False
        outer, self._mode = self._mode, self._mode._replace(in_union=True)
        for choice in schema["choices"]:
            part, *label = choice if isinstance(choice, tuple) else (choice,)
            found = self._choice(part, position)
            omits = omits or found.omits
            choices.append((found.schema, *label) if label else found.schema)
        self._mode = outer
        return FailFast({**schema, "choices": choices}, len(choices), omits)

    def _choice(self, schema: t.Any, position: Position) -> FailFast:
        if self._definitions.may_raise(schema):
            # What is raised ends the validation, whatever the other choices are.
            outer, self._mode = self._mode, self._mode._replace(may_stop=False)
            found = self.rewrite(schema, position)
            self._mode = outer
            return found
        found = self.rewrite(schema, position)
        return found if found.omits else FailFast(as_choice(found.schema))

    def _object(self, schema: t.Any, position: Position) -> FailFast:
        fields, errors = [], 0
        for name, field in fields_of(schema):
            loc = loc_of(name, field, self._config)
            required = loc if is_required(field, schema, self._config) else None
            room = self._max_errors - errors
            found = self._field(field, required, position.at(loc), room=room)
            errors += found.errors
            fields.append(found.schema)
        changed = {**schema, "fields": fields}
        if isinstance(schema["fields"], dict):
            changed["fields"] = dict(zip(schema["fields"], fields, strict=True))
        default = self._config.get("extra_fields_behavior")
        is_closed = schema.get("extra_behavior", default) == "forbid"
        if is_closed and self._mode.may_stop:
            changed = stop_at_extras(changed, position)
        return FailFast(changed, max(errors, 1))

    def _field(
        self, field: t.Any, required: Path | None, position: Position, *, room: int
    ) -> FailFast:
        """A field of an object.

        :param required: its name in the input, ``None`` where it may be absent.
        :param room: for errors.
        """
        schema = field["schema"]
        written = self.rewrite(schema, position)
        found = self._stopping(schema, written, position, room=room)
        if self._definitions.has_default(schema):
            return replace(found, schema={**field, "schema": found.schema})
        if required is None:
            new = found.schema if found is written else without_default(found.schema)
            return replace(found, schema={**field, "schema": new})
        new = self._required(schema, found.schema, required, position=position)
        field = {**field, "required": False} if "required" in field else field
        return replace(found, schema={**field, "schema": new})

    def _required(
        self, schema: t.Any, new: t.Any, loc: Path, *, position: Position
    ) -> t.Any:
        """The schema of a field whose absence copies no input.

        :param schema: that it was written from.
        :param new: what it is so far.
        """
        if self._max_errors and self._definitions.refuses_unknown(schema):
            return core_schema.with_default_schema(
                new, default=MissingValue(loc), validate_default=True
            )
        return stop_if_absent(new, position) if self._mode.may_stop else new
