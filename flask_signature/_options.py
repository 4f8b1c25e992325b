"""The message about an option that nobody knows."""

from __future__ import annotations

import difflib
import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Iterable

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
