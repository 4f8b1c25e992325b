"""From a request to keyword arguments: what runs for each request.

A request goes in, the keyword arguments of a view come out; the view function of an
operation calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from functools import partial
from math import inf
from threading import Lock

from werkzeug.exceptions import UnsupportedMediaType

from .._errors.entries import MAX_ENTRIES
from .._http.request import has_body, length_of, mimetype_of
from ..dependencies import missing_error
from .failures import (
    FORM_PARTS,
    READ_ERRORS,
    read_body_errors,
    read_errors,
    split_unreadable,
    with_unreadable,
)

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from flask import Request

    from .._errors.entries import ErrorDetails
    from .._signature.argument import Argument, Signature
    from .binding import Binding
    from .body import BodyPlan
    from .failures import FailureParts, Names
    from .limits import BoundedValidator
    from .readers import Source

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
    unreadable_names: Names
    renamed: tuple[str, ...]
    bindings: Mapping[str, Binding]
    refuse: Refuse
    is_noop: bool
    expected: frozenset[str]
    passable: frozenset[str]
    compile_variant: Callable[[frozenset[str]], InboundPlan] | None
    variants: dict[frozenset[str], InboundPlan]

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Every argument, in the order of the signature."""
        return self.signature.arguments

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
            found = read_errors(
                error,
                parts,
                read_again=lambda: {x.key: x.read(request) for x in self.sources},
                validate=partial(validator.validate_parts, size=size),
                bindings=self.bindings,
                schema=validator.adapter.core_schema,
            )
            return {}, with_unreadable(found, unreadable) if unreadable else found

    def _size_besides_query(self, request: Request, parts: FailureParts) -> float:
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
