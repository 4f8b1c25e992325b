"""What the source of a module says of a name that is not defined when it is needed."""

from __future__ import annotations

import inspect
import re
import sys
import typing as t


def is_defined_in(source: str, name: str) -> bool:
    """Whether a module defines a name by a statement of its own."""
    definition = rf"^(?:class|type)\s+{re.escape(name)}\b|^{re.escape(name)}\s*[:=]"
    return re.search(definition, source, re.MULTILINE) is not None


def source_of(item: t.Callable[..., t.Any]) -> str:
    """The source of the module of a function or a class, ``""`` where there is none."""
    try:
        return inspect.getsource(sys.modules[item.__module__])
    except (KeyError, OSError, TypeError):
        return ""


def advise_on_name(item: t.Callable[..., t.Any], missing: str) -> str:
    """What to do about a name that a function or a class uses and does not find."""
    if is_defined_in(source_of(item), missing):
        return "Define it above the view, or register the view with a Blueprint."
    return "Import it outside 'if TYPE_CHECKING'."
