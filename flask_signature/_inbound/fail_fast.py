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
from .._types.core_schemas import CALLS
from .._types.core_schemas import INNER_KEYS
from .._types.core_schemas import LISTS
from .._types.core_schemas import OBJECTS
from .._types.core_schemas import OTHER_LISTS
from .._types.core_schemas import SCALARS
from .._types.core_schemas import WRAPPERS
from .._types.core_schemas import Definitions
from .._types.core_schemas import choices_of
from .._types.core_schemas import definitions_in
from .._types.core_schemas import fields_of
from .._types.core_schemas import is_required
from .._types.core_schemas import loc_of
from .bounds import Bounds
from .bounds import Path
from .bounds import Place
from .observed import is_of_pydantic
from .observed import observed
from .stop import Position
from .stop import as_choice
from .stop import stop_at_extras
from .stop import stop_if_absent
from .stop import stop_on_error
from .stop import without_default

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping

#: What a schema counts as that contains itself. Beside another of that kind, or beside
#: many fields, it would have as many errors as the input has values.
RECURSIVE_SHARE: t.Final = 0.9

#: The error of a union, which drops those of its choices.
UNION_ERROR: t.Final = {
    "custom_error_type": NotChosen.type,
    "custom_error_message": NotChosen.msg,
}


def fail_fast_schema(schema: t.Any, bounds: Bounds) -> t.Any:
    """The schema of a validator that gives the same values, and builds few errors.

    It may raise :exc:`StopValidation` instead of an error.
    """
    return _Rewriter(schema, bounds).rewrite_value(schema, Position()).schema


@dataclass(frozen=True, slots=True)
class FailFast:
    """A schema that builds few errors.

    :param errors: it builds at most so many.
    :param omits: whether a value that is wrong may be left out.
    """

    schema: t.Any
    errors: int = 1
    omits: bool = False


class _Rewriter:
    """Writes core schemas anew."""

    def __init__(self, schema: t.Any, bounds: Bounds) -> None:
        self._bounds = bounds
        self._definitions = Definitions(definitions_in(schema))
        self._known: dict[Place, FailFast] = {}
        #: Of the model around a schema.
        self._config: Mapping[str, t.Any] = {}
        self._in_union = False
        for ref in self._definitions.in_order():
            # Nothing is nested deeper than a definition then.
            for self._in_union in (False, True):
                self._define(Place(ref, (), self._in_union))
        self._in_union = False

    def rewrite_value(self, schema: t.Any, position: Position) -> FailFast:
        """The schema of a whole value, such as an item of a list."""
        found = self.rewrite(schema, position)
        return self._stopping(schema, found, position, room=self._bounds.max_errors)

    def rewrite(self, schema: t.Any, position: Position) -> FailFast:
        """The schema in its place, as it is where nothing is known of it."""
        outer = self._config
        self._config = schema.get("config") or outer
        found = self._rewrite(schema, position)
        self._config = outer
        return found

    def _rewrite(self, schema: t.Any, position: Position) -> FailFast:
        kind = schema["type"]
        if kind in OBJECTS or kind in CALLS:
            return self._object(schema, position)
        if kind in LISTS:
            changed, found = self._inside(schema, position.item(), self.rewrite_value)
            errors = sum(item.errors for item in found)
            return FailFast({**changed, "fail_fast": True}, errors or 1)
        if kind in OTHER_LISTS:
            return FailFast(self._inside(schema, position.item(), self._item)[0])
        if kind in WRAPPERS or is_of_pydantic(schema):
            return self._wrapper(schema, position)
        if kind == "definition-ref":
            return self._reference(schema, position)
        if kind == "definitions":
            return self._with_definitions(schema, position)
        if kind == "tagged-union":
            return self._tagged_union(schema, position)
        if kind == "union":
            return self._union(schema, position)
        # A function that calls the schema inside of it may look at its errors.
        return FailFast(self._observed(schema))

    def _observed(self, schema: t.Any) -> t.Any:
        return observed(schema) if self._bounds.may_stop else schema

    def _item(self, schema: t.Any, position: Position) -> FailFast:
        """The schema of an item that stops at its first error in any case."""
        found = self.rewrite(schema, position)
        return self._stopping(schema, found, position, room=0)

    def _stopping(
        self, schema: t.Any, found: FailFast, position: Position, *, room: int
    ) -> FailFast:
        """A schema that ends the validation where it has more errors than fit.

        :param schema: that it was written from.
        """
        if found.errors <= room or found.omits or not self._bounds.may_stop:
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
        on_error = schema.get("on_error", "raise")
        if schema.get("custom_init"):
            # The class validates in its own way.
            return FailFast(schema)
        if on_error != "raise" and self._in_union:
            # Which choice fits best depends on all the values, also on those that are
            # wrong and left out.
            return FailFast(schema, omits=on_error == "omit")
        changed, found = self._inside(self._observed(schema), position, self.rewrite)
        if on_error != "raise" or schema["type"] == "custom-error":
            return FailFast(changed, omits=on_error == "omit")
        errors = sum(item.errors for item in found)
        return FailFast(changed, errors, any(item.omits for item in found))

    def _with_definitions(self, schema: t.Any, position: Position) -> FailFast:
        own = {item["ref"] for item in schema["definitions"]}
        found = self.rewrite(schema["schema"], position)
        written = [item.schema for key, item in self._known.items() if key.ref in own]
        definitions = [*schema["definitions"], *written]
        changed = {**schema, "schema": found.schema, "definitions": definitions}
        return replace(found, schema=changed)

    def _reference(self, schema: t.Any, position: Position) -> FailFast:
        """A reference to a schema that is written anew beside the original one."""
        path = position.path[: self._bounds.path_length]
        place = Place(schema["schema_ref"], path, self._in_union)
        if place not in self._known:
            self._define(place)
        changed = {**schema, "schema_ref": place.new_ref}
        return replace(self._known[place], schema=changed)

    def _define(self, place: Place) -> None:
        recursive = int(self._bounds.max_errors * RECURSIVE_SHARE)
        self._known[place] = FailFast({}, recursive or 1)
        outer, self._config = self._config, {}
        position = Position(place.path, is_exact=False)
        found = self.rewrite(self._definitions[place.ref], position)
        self._known[place] = replace(
            found, schema={**found.schema, "ref": place.new_ref}
        )
        self._config = outer

    def _tagged_union(self, schema: t.Any, position: Position) -> FailFast:
        found = {tag: self.rewrite(x, position) for tag, x in schema["choices"].items()}
        changed = {tag: item.schema for tag, item in found.items()}
        errors = max(item.errors for item in found.values())
        omits = any(item.omits for item in found.values())
        return FailFast({**self._observed(schema), "choices": changed}, errors, omits)

    def _union(self, schema: t.Any, position: Position) -> FailFast:
        if all(choice["type"] in SCALARS for choice in choices_of(schema)):
            return FailFast({**UNION_ERROR, **schema})
        choices: list[t.Any] = []
        omits = False
        outer, self._in_union = self._in_union, True
        for choice in schema["choices"]:
            part, *label = choice if isinstance(choice, tuple) else (choice,)
            found = self.rewrite(part, position)
            omits = omits or found.omits
            caught = self._bounds.may_stop and not found.omits
            new = as_choice(found.schema) if caught else found.schema
            choices.append((new, *label) if label else new)
        self._in_union = outer
        return FailFast({**schema, "choices": choices}, len(choices), omits)

    def _object(self, schema: t.Any, position: Position) -> FailFast:
        fields, errors = [], 0
        for name, field in fields_of(schema):
            loc = loc_of(name, field, self._config)
            is_lacking = is_required(field, schema, self._config)
            required = loc if is_lacking and schema["type"] in OBJECTS else None
            room = self._bounds.max_errors - errors
            found = self._field(field, required, position.at(loc), room=room)
            errors += found.errors
            fields.append(found.schema)
        key = "fields" if "fields" in schema else "arguments_schema"
        changed = {**schema, key: fields}
        if isinstance(schema[key], dict):
            changed[key] = dict(zip(schema[key], fields, strict=True))
        return FailFast(self._with_extras(changed, position), max(errors, 1))

    def _with_extras(self, schema: t.Any, position: Position) -> t.Any:
        """An object that does not collect the errors of other keys."""
        if not self._bounds.may_stop:
            return schema
        if "extras_schema" in schema:
            found = self._item(schema["extras_schema"], position.item())
            return {**schema, "extras_schema": found.schema}
        default = self._config.get("extra_fields_behavior")
        is_closed = schema.get("extra_behavior", default) == "forbid"
        return stop_at_extras(schema, position) if is_closed else schema

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
        if self._bounds.max_errors and self._definitions.refuses_unknown(schema):
            return core_schema.with_default_schema(
                new, default=MissingValue(loc), validate_default=True
            )
        return stop_if_absent(new, position) if self._bounds.may_stop else new
