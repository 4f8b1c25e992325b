"""From a request to the keyword arguments of a view, compiled."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from pydantic import BeforeValidator
from pydantic import Field
from pydantic import TypeAdapter
from werkzeug.exceptions import UnsupportedMediaType

from ._arguments import keywords_adapter
from ._arguments import refuse_generators
from ._arguments import refuse_impossible_constraints
from ._arguments import typed
from ._bodies import BodyPlan
from ._bodies import compile_body
from ._claims import refuse_shared_names
from ._errors.format import MAX_ENTRIES
from ._explanations import STRAY_ERRORS
from ._explanations import explain
from ._explanations import explain_body
from ._flat import Flat
from ._flat import find_flat
from ._http.body import mimetype_of
from ._http.multidict import URLENCODED
from ._large import Large
from ._sources import Source
from ._sources import compile_source
from .exceptions import SignatureError
from .params import Location

if t.TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Request

    from ._errors.format import ErrorDetails
    from ._explanations import Parts
    from ._signature.argument import Argument
    from ._signature.argument import Signature

FORM_LOCATIONS: t.Final = frozenset({Location.FORM, Location.FILE})

MULTIPART: t.Final = "multipart/form-data"
LONGEST_BOUNDARY: t.Final = 200


@dataclass(frozen=True, slots=True)
class InboundPlan:
    """How a request becomes the arguments of a view.

    Everything but a body is validated by one call. Its input is
    ``{"query#": {"page": "2"}, "header#": {"X-Token": "a"}}``, and each argument looks
    under its own path, so that Pydantic's ``loc`` is almost that of the request.

    :param arguments: every argument, in the order of the signature.
    :param sources: what reads each part of that input, and whether it is left out when
        the request holds nothing of it.
    :param adapter: makes the arguments out of that input, ``None`` if there are none.
    :param large: validates the same, where there is much of it.
    :param body: reads the body, ``None`` where no argument is in it.
    :param form_types: the content types of the form, empty where there is none.
    :param accepted_types: those that are not refused.
    :param renamed: URL variables that go to an argument of another name.
    :param flats: where each argument of the adapter is found, by its name.
    """

    arguments: tuple[Argument, ...]
    sources: tuple[tuple[str, Source, bool], ...]
    adapter: TypeAdapter[t.Any] | None
    large: Large | None
    body: BodyPlan | None
    form_types: tuple[str, ...]
    accepted_types: tuple[str, ...]
    renamed: tuple[str, ...]
    flats: Mapping[str, Flat]

    @property
    def idle(self) -> bool:
        """Whether there is nothing to read: the view can be called as it is."""
        return self.adapter is None and self.body is None

    def read(self, request: Request, view_args: dict[str, t.Any]) -> list[ErrorDetails]:
        """Make the keyword arguments of the view.

        :param view_args: what the URL provides; the arguments are put into it.
        :returns: what in the request does not fit, as much as is answered. If anything
            does not, the view can't be called.
        :raises UnsupportedMediaType: if the body is of another content type.
        """
        failures: list[ErrorDetails] = []
        if self.accepted_types:
            self._check_form_type(request)
        body: dict[str, t.Any] = {}
        if self.body is not None:
            try:
                body = self.body.read(request)
            except STRAY_ERRORS as error:
                failures = explain_body(error)
        if self.adapter is not None and self.large is not None:
            found = self._collect(request, view_args)
            validator = self.large.validator(self._size(request))
            try:
                values = validator.validate_python(found, strict=False)
            except STRAY_ERRORS as error:
                wrong = explain(error, found, adapter=self.adapter, flats=self.flats)
                return [*wrong, *failures][:MAX_ENTRIES]
            for name in self.renamed:
                # A preprocessor may have taken it.
                view_args.pop(name, None)
            view_args.update(values)
        view_args.update(body)
        return failures

    def _collect(self, request: Request, view_args: dict[str, t.Any]) -> Parts:
        found = {"path#": view_args}
        for part, source, optional in self.sources:
            values = source(request)
            if values or not optional:
                found[part] = values
        return found

    def _size(self, request: Request) -> int:
        """The bytes that hold whatever may repeat: the query and a form."""
        size = len(request.environ.get("QUERY_STRING", ""))
        return size + (request.content_length or 0) if self.accepted_types else size

    def _check_form_type(self, request: Request) -> None:
        accepted = mimetype_of(request) in self.accepted_types
        if not _has_long_boundary(request) and (accepted or not _has_body(request)):
            return
        expected = " or ".join(self.form_types)
        raise UnsupportedMediaType(f"The form must be sent as {expected}.")


def _has_long_boundary(request: Request) -> bool:
    """Whether a form has a boundary that is none, and that takes seconds to look for.

    Source: RFC 2046, 5.1.1: no more than 70 characters. Clients exceed that by a few,
    Werkzeug's own for testing among them.
    """
    if len(request.environ.get("CONTENT_TYPE", "")) <= LONGEST_BOUNDARY:
        return False
    return len(request.mimetype_params.get("boundary", "")) > LONGEST_BOUNDARY


def _has_body(request: Request) -> bool:
    # A chunked body has no length.
    return bool(request.content_length) or "HTTP_TRANSFER_ENCODING" in request.environ


def compile_inbound(
    signature: Signature, *, method: str, proven: Mapping[str, type]
) -> InboundPlan:
    """The plan that reads the arguments of a signature.

    :param method: for messages, and because TRACE has no body.
    :param proven: the types of what converters provide. An argument of just that type
        is passed on as it comes.
    :raises SignatureError: if a location can't carry an argument, or two exclude each
        other.
    """
    arguments = signature.arguments
    bodies = [item for item in arguments if item.location is Location.BODY]
    forms = [item for item in arguments if item.location in FORM_LOCATIONS]
    for argument in arguments:
        refuse_impossible_constraints(argument)
    _refuse_two_bodies(signature.view, bodies, forms)
    if method == "TRACE" and (bodies or forms):
        raise SignatureError(
            f"{signature.view} reads {(bodies + forms)[0].name!r} from the body, but a"
            " TRACE request has none. Read it from the query, or use another method."
        )
    read = [
        item
        for item in arguments
        if item.location is not Location.BODY and not _is_proven(item, proven)
    ]
    flats = {item.name: find_flat(item, signature.view) for item in read}
    refuse_shared_names(signature.view, arguments, flats)
    types = {item.name: _typed(item, flats[item.name]) for item in read}
    form_types, accepted_types = _form_types(signature.view, forms, flats)
    adapter = keywords_adapter(read, types) if read else None
    body = compile_body(bodies) if bodies else None
    _refuse_generators(signature.view, adapter, body)
    return InboundPlan(
        arguments=arguments,
        sources=_compile_sources(read, flats),
        adapter=adapter,
        large=Large(adapter) if adapter else None,
        body=body,
        form_types=form_types,
        accepted_types=accepted_types,
        renamed=_renamed(read, flats),
        flats=flats,
    )


def _refuse_generators(
    view: str, adapter: TypeAdapter[t.Any] | None, body: BodyPlan | None
) -> None:
    if adapter is not None:
        refuse_generators(view, adapter)
    if body is not None and body.json is not None:
        refuse_generators(view, body.json, body.whole)
    if body is not None and body.raw is not None:
        refuse_generators(view, body.raw, body.arguments[0].name)


def _typed(argument: Argument, flat: Flat) -> t.Any:
    alias = Field(validation_alias=flat.alias)
    convert = flat.wires[0].convert if flat.wires else None
    if argument.location is Location.PATH and convert is not None:
        # What the URL provides is read by Flask, so no source of ours can convert it.
        return typed(argument, BeforeValidator(convert), alias)
    return typed(argument, alias)


def _is_proven(argument: Argument, proven: Mapping[str, type]) -> bool:
    """Whether the URL has already made the value what the argument asks for."""
    if argument.location is not Location.PATH or argument.fields:
        return False
    return argument.untyped or proven.get(argument.name) is argument.annotation


def _refuse_two_bodies(
    view: str, bodies: Sequence[Argument], forms: Sequence[Argument]
) -> None:
    if bodies and forms:
        other = "a file" if forms[0].location is Location.FILE else "a form"
        raise SignatureError(
            f"{view} takes {bodies[0].name!r} from a JSON body and {forms[0].name!r}"
            f" from {other}. A request has one body. Declare {bodies[0].name!r} with"
            " Form() to receive both as multipart."
        )


def _form_types(
    view: str, forms: Sequence[Argument], flats: Mapping[str, Flat]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The content types to describe, and those to accept."""
    if not forms:
        return (), ()
    files = any(flats[item.name].sends_files for item in forms)
    fitting = (MULTIPART,) if files else (URLENCODED, MULTIPART)
    declared = {item.marker.media_type for item in forms} - {None}
    if not declared:
        return fitting, (URLENCODED, MULTIPART)
    if len(declared) > 1 or not declared.issubset(fitting):
        names = " and ".join(sorted(repr(item) for item in declared))
        known = " or ".join(repr(item) for item in fitting)
        raise SignatureError(
            f"the form of {view} has the media type {names}. Use {known}."
        )
    one = (str(declared.pop()),)
    return one, one


def _compile_sources(
    arguments: Sequence[Argument], flats: Mapping[str, Flat]
) -> tuple[tuple[str, Source, bool], ...]:
    parts: dict[str, list[Argument]] = {}
    for argument in arguments:
        if argument.location is not Location.PATH:
            parts.setdefault(flats[argument.name].source, []).append(argument)
    compiled = []
    for part, members in parts.items():
        found = [flats[argument.name] for argument in members]
        source = compile_source(
            members[0].location,
            [wire for flat in found for wire in flat.wires],
            everything=any(flat.everything for flat in found),
            ignored=_names_beside(part, members[0].location, arguments, flats),
        )
        optional = found[0].is_model and not members[0].required
        compiled.append((part, source, optional))
    return tuple(compiled)


def _names_beside(
    part: str,
    location: Location,
    arguments: Sequence[Argument],
    flats: Mapping[str, Flat],
) -> frozenset[str]:
    """The names of other arguments, which are no extra fields of a model."""
    shared = FORM_LOCATIONS if location in FORM_LOCATIONS else {location}
    return frozenset(
        wire.name
        for argument in arguments
        if argument.location in shared and flats[argument.name].source != part
        for wire in flats[argument.name].wires
    )


def _renamed(
    arguments: Sequence[Argument], flats: Mapping[str, Flat]
) -> tuple[str, ...]:
    return tuple(
        flats[item.name].wires[0].name
        for item in arguments
        if item.location is Location.PATH
        and flats[item.name].wires[0].name != item.name
    )
