"""The message about an option that nobody knows."""

from __future__ import annotations

import difflib
import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Iterable

#: What options are called here that have other names in other frameworks.
NAMES_HERE: t.Final = {"name": "endpoint", "prefix": "url_prefix", "regex": "pattern"}

#: What there is instead of an option that only other frameworks have.
INSTEAD: t.Final = {
    "response_class": (
        "Return a Response of that class, or name its content type with media_type=."
    ),
}


def unknown_option(option: str, known: Iterable[str], of: str = "") -> str:
    """The message that refuses an option, with what there is instead.

    :param of: what it is an option of, where that is no route and no blueprint.
    """
    if option in INSTEAD and not of:
        return f"Unknown option {option!r}. {INSTEAD[option]}"
    names = frozenset(known)
    nearest = [name for name in [NAMES_HERE.get(option)] if name in names]
    nearest = nearest or difflib.get_close_matches(option, sorted(names), n=1)
    hint = f" Did you mean {nearest[0]!r}?" if nearest else ""
    return f"Unknown option {option!r}{f' of {of}' if of else ''}.{hint}"
