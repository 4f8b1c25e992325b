"""From a request to keyword arguments: what runs for each request.

A request goes in, the keyword arguments of a view come out, or its errors with a
``loc`` of the request; the view function of an operation calls it.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from dataclasses import dataclass
from decimal import DecimalException, InvalidOperation
from errno import ENAMETOOLONG
from functools import partial
from itertools import islice
from math import inf
from threading import Lock

from pydantic import ValidationError
from pydantic_core import from_json
from werkzeug.exceptions import UnsupportedMediaType

from .._errors.entries import (
    MAX_ENTRIES,
    OWN_TYPES,
    UnreadableValue,
    details_of,
    locate_errors,
    validation_error,
    without_echoes,
)
from .._http.request import has_body, length_of, mimetype_of
from .._types.adapters import FUNCTION_SCHEMAS, schemas_in
from ..dependencies import missing_error
from .readers import FORM_LOCATIONS

if t.TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from flask import Request

    from .._errors.entries import ErrorDetails
    from .._signature.argument import Signature
    from .._types.adapters import Adapter
    from .binding import Binding
    from .body import BodyPlan
    from .limits import BoundedValidator
    from .readers import InputParts, Source

    #: Makes values of the input of a plan's adapter.
    Validate: t.TypeAlias = Callable[[InputParts], t.Any]

#: Makes the exception of a request with some errors.
Refuse: t.TypeAlias = "Callable[[Sequence[ErrorDetails]], Exception]"

#: Makes the keyword arguments of a view of a request and what the URL provides.
Read: t.TypeAlias = "Callable[[Request, Mapping[str, t.Any]], dict[str, t.Any]]"

#: Characters of a boundary. RFC 2046, 5.1.1, allows 70; clients exceed that by a few,
#: Werkzeug's own for testing among them.
LONGEST_BOUNDARY: t.Final = 200

#: Plans that are kept of one view without some of its arguments. Who passes arguments
#: passes the same ones, unless they are taken from the request.
MAX_VARIANTS: t.Final = 64
#: Held while one of these plans is compiled, which is seldom.
VARIANTS_LOCK: t.Final = Lock()

#: What Pydantic raises besides ValidationError, which is a ValueError: for a timedelta
#: that is too long, a body nested too deep, the year zero, a decimal whose exponent is
#: too large. Some may come from the author's own code, too: see
#: _is_caused_by_request().
READ_ERRORS: t.Final = (
    *(OverflowError, RecursionError, ValueError, TypeError, OSError),
    *(DecimalException, ZeroDivisionError),
)

#: How the keys of the parts begin that are read from a form.
FORM_PARTS: t.Final = tuple(f"{location.value}#" for location in FORM_LOCATIONS)

#: The names in a request by the keys of a part, by the part.
Names: t.TypeAlias = "Mapping[str, Mapping[str, str]]"

#: The type of error for a value in place of Pydantic's ``MISSING``.
SENTINEL_ERROR: t.Final = "missing_sentinel_error"

#: The types of error for an extra key, of a model and of a dataclass.
EXTRA_KEY: t.Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundPlan:
    """How a request becomes the arguments of a view.

    Everything but a body is validated by one call. Its input is
    ``{"query#": {"page": "2"}, "header#": {"X-Token": "a"}}``, and each argument looks
    under its own path, so that Pydantic's ``loc`` is almost that of the request.

    :param signature: of the view, whose arguments are read.
    :param sources: the parts of that input.
    :param validator: of that input, ``None`` if there is none.
    :param body: reads the body, ``None`` where no argument is in it.
    :param form_types: the content types of the form, empty where there is none.
    :param accepted_form_types: the content types that are accepted, others are a 415.
    :param reads_long_values: whether a header, a cookie or a variable of the URL may
        hold many values.
    :param unreadable_names: those of a form whose values may be unreadable, where that
        is not left to the validator.
    :param renamed: URL variables that go to an argument of another name.
    :param bindings: of each argument of the adapter, by its name.
    :param refuse: the exception of a request with these errors.
    :param is_noop: whether there is nothing to read.
    :param expected: the names of what the URL provides and of what has to be supplied
        besides. Any other value was passed by a caller, and replaces the request's.
    :param passable: the keys of what is read, unless a caller passes it.
    :param compile_variant: compiles the plan without some of these, ``None`` in such.
    :param variants: those that were needed so far.
    """

    signature: Signature
    sources: tuple[Source, ...]
    validator: BoundedValidator | None
    body: BodyPlan | None
    form_types: tuple[str, ...]
    accepted_form_types: tuple[str, ...]
    reads_long_values: bool
    unreadable_names: Names | None
    renamed: tuple[str, ...]
    bindings: Mapping[str, Binding]
    refuse: Refuse
    is_noop: bool
    expected: frozenset[str]
    passable: frozenset[str]
    compile_variant: Callable[[frozenset[str]], InboundPlan] | None
    variants: dict[frozenset[str], InboundPlan]

    def read(
        self, request: Request, view_args: Mapping[str, t.Any]
    ) -> dict[str, t.Any]:
        """The keyword arguments of the view.

        :param view_args: what the URL provides, and what is passed to the view.
        :raises RequestValidationError: if the request does not fit the arguments.
        :raises UnsupportedMediaType: if the body is of another content type.
        :raises TypeError: if an argument of ``Injected()`` was not supplied.
        """
        # Most views have no variables in their path.
        if (view_args or self.expected) and view_args.keys() != self.expected:
            variant = self.without(view_args)
            if variant is not None:
                return variant.read(request, view_args)
        errors: list[ErrorDetails] = []
        if self.accepted_form_types:
            self._check_form_type(request)
        values: t.Any = view_args
        if self.renamed:
            # A preprocessor may have removed one.
            items = view_args.items()
            values = {name: x for name, x in items if name not in self.renamed}
        if self.body is not None:
            try:
                body = self.body.read(request)
                values = {**values, **body} if values else body
            except READ_ERRORS as error:
                schemas = self.body.schemas
                errors = read_body_errors(error, schemas, request.get_data)
        if self.validator is not None:
            read, found = self._read_parts(request, view_args, self.validator)
            if found or errors:
                raise self.refuse([*found, *errors][:MAX_ENTRIES])
            values = {**values, **read} if values else read
        elif errors:
            raise self.refuse(errors)
        # Those of the caller stay as they are.
        return {**values} if values is view_args else values

    def without(self, passed: Collection[str]) -> InboundPlan | None:
        """The plan without some arguments, ``None`` where it reads all of them.

        :param passed: the names of all values that are passed to the view.
        :raises TypeError: if one that has to be supplied is missing.
        """
        if self.compile_variant is None:
            return None
        for name in self.signature.injected.difference(passed):
            raise missing_error(f"{name!r} of {self.signature.view}")
        keys = self.passable.intersection(passed)
        plan = self.variants.get(keys)
        if plan is None and keys:
            with VARIANTS_LOCK:
                plan = self.variants.get(keys) or self.compile_variant(keys)
                if len(self.variants) == MAX_VARIANTS:
                    self.variants.clear()
                self.variants[keys] = plan
        return plan

    def _read_parts(
        self,
        request: Request,
        view_args: Mapping[str, t.Any],
        validator: BoundedValidator,
    ) -> tuple[dict[str, t.Any], Sequence[ErrorDetails]]:
        """The arguments outside of a JSON body, or the errors of their values."""
        parts: dict[str, t.Any] = {"path#": view_args}
        for source in self.sources:
            values = source.read(request)
            if values or not source.optional:
                parts[source.key] = values
        size: float = len(request.environ.get("QUERY_STRING", ""))
        if self.accepted_form_types or self.reads_long_values:
            size += self._size_besides_query(request, parts)
        unreadable: Sequence[ErrorDetails] = ()
        if self.unreadable_names:
            parts, unreadable = split_unreadable(parts, self.unreadable_names)
        try:
            return validator.validate_parts(parts, size), unreadable
        except READ_ERRORS as error:
            validate = partial(validator.validate_parts, size=size)
            found = self._errors_of(error, parts, request, validate=validate)
            found = without_echoes(found, validator.adapter.core_schema)
            return {}, with_unreadable(found, unreadable) if unreadable else found

    def _errors_of(
        self,
        error: Exception,
        parts: InputParts,
        request: Request,
        *,
        validate: Validate,
    ) -> list[ErrorDetails]:
        """The errors of the input of the adapter.

        :param validate: what did not accept the input.
        """
        if not isinstance(error, ValidationError):
            error = self._locate_cause(error, parts, validate)
        names = {
            binding.source: {field.key: field.name for field in binding.fields}
            for binding in self.bindings.values()
        }

        def locate(loc: tuple[t.Any, ...]) -> list[t.Any]:
            """``("header#h", "save_data", 1)`` becomes ``["header", "Save-Data", 1]``.

            A default that is validated has a ``loc`` that begins with the argument.
            """
            part, *rest = loc or [next(reversed(parts))]
            if part in self.bindings:
                return [*self.bindings[part].loc, *rest]
            if rest:
                rest[0] = names[part].get(rest[0], rest[0])
            return [part.partition("#")[0], *rest]

        def read_again() -> InputParts:
            """What was read, as it was before validators have changed it."""
            return {**parts, **{item.key: item.read(request) for item in self.sources}}

        errors = _without_sentinel(error)
        _restore_inputs(errors, read_again)
        return locate_errors(_without_repeated_keys(errors, locate), locate)

    def _locate_cause(
        self, error: Exception, parts: InputParts, validate: Validate
    ) -> ValidationError:
        """The error with the ``loc`` of the value that raises it if it is sent alone.

        An exception that is not Pydantic's own does not say which value caused it.
        Where several do, or none alone, the location is what can be told.
        """
        sent = [
            (binding.source, field.key)
            for binding in self.bindings.values()
            for field in binding.fields
            if field.key in parts.get(binding.source, {})
        ]
        causes = [
            (source, key)
            for source, key in sent
            if _is_raised({source: {key: parts[source][key]}}, validate)
        ]
        found = causes or sent
        if len(found) == 1:
            return _as_validation_error(error, *found[0])
        sources = {source for source, _ in found}
        part = sources.pop() if len(sources) == 1 else next(reversed(parts))
        return _as_validation_error(error, part)

    def _size_besides_query(self, request: Request, parts: InputParts) -> float:
        """The bytes of what else may hold many values: a form, and other long ones."""
        environ = request.environ
        size: float = 0
        if self.accepted_form_types:
            length = length_of(request)
            if length is not None:
                size += length
            elif any(parts[key] for key in parts if key.startswith(FORM_PARTS)):
                # A chunked body has no length.
                size = inf
        if self.reads_long_values:
            size += len(environ.get("PATH_INFO", ""))
            names = [name for name in environ if name.startswith("HTTP_")]
            size += sum(len(environ[name]) for name in names)
        return size

    def _check_form_type(self, request: Request) -> None:
        if request.environ.get("CONTENT_TYPE") in self.accepted_form_types:
            return
        is_long = len(request.environ.get("CONTENT_TYPE", "")) > LONGEST_BOUNDARY
        if is_long:
            # Werkzeug's parser takes seconds to find such a boundary.
            boundary = request.mimetype_params.get("boundary", "")
            is_long = len(boundary) > LONGEST_BOUNDARY
        accepted = mimetype_of(request) in self.accepted_form_types
        if not is_long and (accepted or not has_body(request)):
            return
        expected = " or ".join(self.form_types)
        raise UnsupportedMediaType(f"The form must be sent as {expected}.")


def read_body_errors(
    error: Exception, schema: t.Any, read_again: Callable[[], bytes]
) -> list[ErrorDetails]:
    """The errors of a body.

    :param read_again: returns the body, as it was before validators have changed what
        is made of it.
    :param schema: the core schema of what raised it.
    """
    errors = _without_sentinel(_as_validation_error(error))
    # A body may be no JSON, and is not changed then.
    with suppress(ValueError):
        _restore_inputs(errors, lambda: from_json(read_again()))
    return without_echoes(locate_errors(errors, ("body",).__add__), schema)


def _as_validation_error(error: Exception, *loc: str) -> ValidationError:
    """The error itself, or a ``ValidationError`` in place of another exception.

    What comes from the author's code is raised as it is.
    """
    if isinstance(error, ValidationError):
        return error
    if not _is_caused_by_request(error):
        raise error
    # This is how Decimal() says that a string is none.
    is_string = isinstance(error, InvalidOperation) and "ConversionSyntax" in str(error)
    is_number = isinstance(error, ArithmeticError) and not is_string
    why = "is out of range" if is_number else "can't be read"
    return validation_error("value_error", loc, error=ValueError(f"The value {why}."))


def _is_caused_by_request(error: Exception) -> bool:
    """Whether a value of the request is the cause, and not the author's code."""
    if isinstance(error, ZeroDivisionError):
        # Pydantic before 2.14 makes a Fraction of "1/0".
        return str(error).startswith("Fraction(")
    if isinstance(error, TypeError):
        # A constraint that does not apply to one member of a union.
        return str(error).startswith("Unable to apply constraint")
    # Pydantic looks up a FilePath, whose name may be too long.
    return not isinstance(error, OSError) or error.errno == ENAMETOOLONG


def _is_raised(parts: InputParts, validate: Validate) -> bool:
    try:
        validate(parts)
    except READ_ERRORS as error:
        return not isinstance(error, ValidationError)
    return False


def _without_sentinel(error: ValidationError) -> list[t.Any]:
    """The errors without those of ``MISSING``, which no client can send.

    Before Pydantic 2.14 it is one of a union's types: ``int | MISSING`` has an error at
    ``("a", "int")`` and another at ``("a", "missing-sentinel")``. Here it has one at
    ``("a",)``.
    """
    # The inputs are there already, and the format of Pydantic 1 recognises a null by
    # them.
    errors: list[t.Any] = error.errors(include_url=False)
    kept = [item for item in errors if item["type"] != SENTINEL_ERROR]
    if not kept or len(kept) == len(errors):
        return errors
    types: dict[tuple[t.Any, ...], set[t.Any]] = {
        item["loc"][:-1]: set() for item in errors if item["type"] == SENTINEL_ERROR
    }
    for item in kept:
        for loc, part in _steps(item["loc"]):
            if loc in types:
                types[loc].add(part)
    for item in kept:
        item["loc"] = tuple(
            part for loc, part in _steps(item["loc"]) if len(types.get(loc, ())) != 1
        )
    return kept


def _steps(loc: tuple[t.Any, ...]) -> Iterator[tuple[tuple[t.Any, ...], t.Any]]:
    """Each part of a ``loc``, with those before it."""
    return ((loc[:number], part) for number, part in enumerate(loc))


def _restore_inputs(errors: list[t.Any], read_again: Callable[[], t.Any]) -> None:
    """Give the errors of authors the values that were sent, which may be changed."""
    by_authors = [item for item in errors if item["type"] not in OWN_TYPES]
    sent = read_again() if by_authors else None
    for item in by_authors[:MAX_ENTRIES]:
        item["input"] = _value_at(item["loc"], sent)


def _value_at(loc: Sequence[t.Any], parts: t.Any) -> t.Any:
    """What was sent at a ``loc`` of Pydantic, or what that is in."""
    value = parts
    with suppress(LookupError, TypeError):
        for part in loc:
            value = value[part]
    return value


def _without_repeated_keys(
    errors: Iterable[t.Any], locate: Callable[..., list[t.Any]]
) -> Iterator[t.Any]:
    """The errors with one for each extra key, which each model may have reported."""
    refused: set[tuple[t.Any, ...]] = set()
    for error in errors:
        if error["type"] in EXTRA_KEY:
            loc = tuple(locate(error["loc"]))
            if loc in refused:
                continue
            refused.add(loc)
        yield error


def unreadable_names(adapter: Adapter, bindings: Iterable[Binding]) -> Names:
    """The names of a form whose values may be unreadable, where a function gets one."""
    names: dict[str, dict[str, str]] = {}
    for binding in bindings:
        if binding.source.startswith(FORM_PARTS):
            found = {item.key: item.name for item in binding.fields if item.convert}
            names.setdefault(binding.source, {}).update(found)
    if not any(names.values()):
        return {}
    schemas = schemas_in(adapter.core_schema)
    return names if any(part["type"] in FUNCTION_SCHEMAS for part in schemas) else {}


def split_unreadable(
    parts: InputParts, names: Names
) -> tuple[InputParts, list[ErrorDetails]]:
    """The parts without what can't be read, and its errors: no function is given it."""
    kept, errors = dict(parts), list["ErrorDetails"]()
    for part, known in names.items():
        for key in [key for key in parts.get(part, {}) if key in known]:
            loc = [part.partition("#")[0], known[key]]
            first = [*islice(_unreadable_in(parts[part][key], loc), MAX_ENTRIES)]
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


def _unreadable_in(value: t.Any, loc: Sequence[str | int]) -> Iterator[ErrorDetails]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _unreadable_in(item, [*loc, number])
    elif type(value) is UnreadableValue:
        yield {**details_of(value.kind, **value.ctx), "loc": loc}
