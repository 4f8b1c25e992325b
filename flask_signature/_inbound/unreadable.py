"""Values of a form that can't be read, and that a function might be given.

Pydantic refuses them where no function of the author is called first. The parts of a
request go in; out come those that can be read, and the errors of the others.
"""

from __future__ import annotations

import typing as t
from itertools import islice

from .._errors.format import MAX_ENTRIES
from .._errors.format import UnreadableValue
from .._errors.format import validation_error
from .._types.core_schemas import parts_of
from .locations import FORM_LOCATIONS

if t.TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping
    from collections.abc import Sequence

    from .._errors.format import ErrorDetails
    from .._types.adapters import Adapter
    from .binding import Binding
    from .failures import Parts

#: How the keys of the parts begin that are read from a form.
FORM_PARTS: t.Final = tuple(f"{location.value}#" for location in FORM_LOCATIONS)

#: The core schemas whose functions are called before a value is looked at.
FUNCTIONS: t.Final = frozenset({"function-before", "function-plain", "function-wrap"})

#: The names in a request by the keys of a part, by the part.
Names: t.TypeAlias = "Mapping[str, Mapping[str, str]]"


def unreadable_names(adapter: Adapter, bindings: Iterable[Binding]) -> Names:
    """The names of a form whose values may be unreadable.

    There are none where no function would be called with them.

    :param adapter: of the arguments.
    :param bindings: of these.
    """
    names: dict[str, dict[str, str]] = {}
    for binding in bindings:
        if binding.source.startswith(FORM_PARTS):
            found = {item.key: item.name for item in binding.fields if item.convert}
            names.setdefault(binding.source, {}).update(found)
    if not any(names.values()):
        return {}
    schemas = parts_of(adapter.core_schema)
    return names if any(part["type"] in FUNCTIONS for part in schemas) else {}


def split_unreadable(parts: Parts, names: Names) -> tuple[Parts, list[ErrorDetails]]:
    """The parts without what can't be read, and the errors of that.

    :param names: see :func:`unreadable_names`.
    """
    kept, errors = dict(parts), list["ErrorDetails"]()
    for part, known in names.items():
        location = part.partition("#")[0]
        for key, value in parts.get(part, {}).items():
            found = _errors_of(value, [location, known[key]]) if key in known else ()
            first = [*islice(found, MAX_ENTRIES)]
            if first:
                kept[part] = {name: x for name, x in kept[part].items() if name != key}
            errors += first
    return kept, errors


def with_unreadable(
    errors: Sequence[ErrorDetails], unreadable: Sequence[ErrorDetails]
) -> list[ErrorDetails]:
    """The errors of what can be read and of what can't, which is not missing."""
    names = [error["loc"][:2] for error in unreadable]
    return [*(item for item in errors if item["loc"][:2] not in names), *unreadable]


def _errors_of(value: t.Any, loc: Sequence[str | int]) -> Iterator[ErrorDetails]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _errors_of(item, [*loc, number])
    elif type(value) is UnreadableValue:
        (error,) = validation_error(value.kind, **value.ctx).errors(include_url=False)
        yield {**error, "loc": loc}
