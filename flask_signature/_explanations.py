"""Why a request does not fit, said in the names of the request."""

from __future__ import annotations

import typing as t
from errno import ENAMETOOLONG

from pydantic import ValidationError

from ._errors.format import locate_errors
from ._errors.format import validation_error

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterable
    from collections.abc import Iterator
    from collections.abc import Mapping

    from pydantic import TypeAdapter

    from ._errors.format import ErrorDetails
    from ._flat import Flat

#: What a location holds, by name; the input of an adapter has one for each part.
Parts: t.TypeAlias = "dict[str, dict[str, t.Any]]"

# What Pydantic and Python let through for some values of a request: a timedelta that is
# too long, a body nested too deep, the year zero. A ValidationError is a ValueError.
# The last two may also be the author's own, and are told apart in _is_stray().
STRAY_ERRORS: t.Final = (OverflowError, RecursionError, ValueError, TypeError, OSError)

#: Turns the place where Pydantic failed into that of the request.
Locate: t.TypeAlias = "Callable[[tuple[t.Any, ...]], list[t.Any]]"

#: What Pydantic says of a key that a model, or a dataclass, doesn't know.
UNKNOWN_KEY: t.Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})


def explain_body(error: Exception) -> list[ErrorDetails]:
    """What is wrong with a body."""
    # The inputs have been made with the error: asking for them costs a reference each.
    # The older error form tells a null by them.
    lines = as_validation_error(error).errors(include_url=False)
    return locate_errors(lines, ("body",).__add__)


def explain(
    error: Exception,
    found: Parts,
    *,
    adapter: TypeAdapter[t.Any],
    flats: Mapping[str, Flat],
) -> list[ErrorDetails]:
    """What is wrong with what was found in the parts of a request that are flat.

    :param adapter: what refused it.
    :param flats: where each of its arguments is found, by name.
    """
    if not isinstance(error, ValidationError):
        error = _find_stray(error, found, adapter)
    spelled = {
        flat.source: {wire.key: wire.name for wire in flat.wires}
        for flat in flats.values()
    }

    def locate(loc: tuple[t.Any, ...]) -> list[t.Any]:
        """``("header#h", "save_data", 1)`` becomes ``["header", "Save-Data", 1]``."""
        part, *rest = loc
        if part in flats:
            # A default that is validated has no place in the request, but one to be.
            return [*flats[part].place, *rest]
        if rest:
            rest[0] = spelled[part].get(rest[0], rest[0])
        return [part.partition("#")[0], *rest]

    lines = _refuse_keys_once(error.errors(include_url=False), locate)
    return locate_errors(lines, locate)


def _refuse_keys_once(lines: Iterable[t.Any], locate: Locate) -> Iterator[t.Any]:
    """The errors without those that repeat that a key is unknown.

    Each model that forbids extra fields says so of the same keys.
    """
    refused: set[tuple[t.Any, ...]] = set()
    for line in lines:
        if line["type"] in UNKNOWN_KEY:
            place = tuple(locate(line["loc"]))
            if place in refused:
                continue
            refused.add(place)
        yield line


def as_validation_error(error: Exception, *loc: str) -> ValidationError:
    """The error itself, or one that says the same where it is not Pydantic's own.

    :raises TypeError: if the error is one of the author's code, which raised it.
    :raises OSError: likewise.
    """
    if isinstance(error, ValidationError):
        return error
    if not _is_stray(error):
        raise error
    why = "is out of range" if isinstance(error, OverflowError) else "can't be read"
    return validation_error("value_error", loc, error=ValueError(f"The value {why}."))


def _is_stray(error: Exception) -> bool:
    """Whether a value of a request is to blame, and not the code of a validator."""
    if isinstance(error, TypeError):
        # A constraint that one member of a union has no use for.
        return str(error).startswith("Unable to apply constraint")
    # Of a path, which Pydantic looks up.
    return not isinstance(error, OSError) or error.errno == ENAMETOOLONG


def _find_stray(
    error: Exception, found: Parts, adapter: TypeAdapter[t.Any]
) -> ValidationError:
    """The error of the one value without which it does not occur.

    An error that is not Pydantic's own does not say which value it came from.
    """
    for part, values in found.items():
        for name in values:
            rest = {key: value for key, value in values.items() if key != name}
            if not _strays({**found, part: rest}, adapter):
                return as_validation_error(error, part, name)
    return as_validation_error(error, next(reversed(found)))


def _strays(found: Parts, adapter: TypeAdapter[t.Any]) -> bool:
    try:
        adapter.validator.validate_python(found, strict=False)
    except ValidationError:
        return False
    except STRAY_ERRORS:
        return True
    return False
