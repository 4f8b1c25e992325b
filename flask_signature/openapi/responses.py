"""The responses of an operation by status: what it returns, and its errors.

Operations go in, objects come out. Source: OpenAPI 3.1, Responses Object.
"""

from __future__ import annotations

import typing as t
import warnings

from werkzeug.exceptions import (
    Forbidden,
    HTTPException,
    RequestEntityTooLarge,
    Unauthorized,
    UnsupportedMediaType,
    default_exceptions,
)
from werkzeug.http import HTTP_STATUS_CODES

from .._common import is_status, is_success, status_code
from .._operations.errors import find_handler
from .._operations.registry import Registry
from .._outbound.responses import NO_DECLARED, keys_of_response
from .._signature.views import locate
from ..exceptions import RequestValidationError, SignatureWarning
from ..params import Location
from .content import (
    declared_content,
    describe_headers,
    either,
    header_objects,
    is_success_content,
    join_headers,
    response_content,
    written_content,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .._inbound.plan import InboundPlan
    from .._operations.store import Operation
    from .._outbound.plan import Content, OutboundPlan
    from .schemas import DocumentContext, JsonObject, Schemas

STATUS_CLASSES: t.Final = {
    "1XX": "Information",
    "2XX": "Success",
    "3XX": "Redirection",
    "4XX": "Client error",
    "5XX": "Server error",
    "default": "Any other response",
}

ETAG: t.Final = {
    "ETag": {
        "description": "Changes when the content does.",
        "schema": {"type": "string"},
    }
}

#: The errors of a request with a body.
WITH_BODY: t.Final = (
    (RequestEntityTooLarge, "The body of the request is too large."),
    (UnsupportedMediaType, "The body of the request is of another content type."),
)

#: The errors of a security requirement.
REFUSED_ERRORS: t.Final = (
    (Unauthorized, "Credentials are missing, or not valid."),
    (Forbidden, "The credentials lack a scope."),
)

#: The status by which ``responses=`` names an invalid request.
REFUSED_STATUS: t.Final = "422"

#: The core schemas that accept whatever the schema inside accepts.
TRANSPARENT_BODIES: t.Final = frozenset({"default", "missing-sentinel", "nullable"})

LIST_SCHEMAS: t.Final = frozenset({"list", "set", "frozenset"})

#: The keys of a core schema that constrain no string.
UNCONSTRAINED: t.Final = frozenset(
    {"type", "ref", "metadata", "serialization", "items_schema", "strict", "fail_fast"}
)

#: What is wrong with an exception whose handler says nothing, and what to write.
ADVICE: t.Final = (
    "but no error handler says what is sent. Annotate one, '-> tuple[Problem,"
    " Literal[409]]', with the status it sends."
)

#: The same where the handler goes on, ``-> ErrorResponse``.
STANDARD_ADVICE: t.Final = (
    "whose error handler sends an error of the application, but does not say with which"
    " status. Declare that as well, such as responses=[409]."
)

#: A status and its Response Object.
Response: t.TypeAlias = "tuple[str, JsonObject]"


def describe_responses(operation: Operation, context: DocumentContext) -> JsonObject:
    """The Responses Object of an operation.

    An error that is declared with a model, or annotated, may be one of ``abort()`` all
    the same, which can't be seen. What is declared without a model is one.

    Source: OpenAPI 3.1, Responses Object.
    """
    returned = _without_errors(operation, context)
    errors = _Errors(operation, context)
    # An annotation replaces what is declared.
    annotated = operation.outbound.annotated
    declared = {
        str(status): item
        for status, item in operation.outbound.responses.items()
        if status not in annotated
    }
    standard = {
        key
        for key, item in declared.items()
        if item.is_standard and "content" not in returned[key]
    }
    # None says that there is nothing to describe.
    silent = {key for key, item in declared.items() if item == NO_DECLARED}
    found = {key: item for key, item in returned.items() if key not in standard}
    for exception, description in raised_before(operation):
        _add_response(found, errors.answers(exception, description))
    for exception in _raises(operation):
        _add_response(found, errors.raised(exception))
    for key, response in returned.items():
        if key in standard:
            _add_response(found, errors.standard(key, response))
            # The author's words count, whatever else sends such a response.
            given = declared[key].description
            if given and key in found:
                found[key] = {**found[key], "description": given}
        elif _is_error(key) and ("content" in response or key not in silent):
            _add_response(found, errors.aborted(key))
    if operation.method == "HEAD":
        for response in found.values():
            response.pop("content", None)
    return {status: found[status] for status in sorted(found)}


def _without_errors(operation: Operation, context: DocumentContext) -> JsonObject:
    """What a view returns, and what is declared, by status.

    The author's declaration of a status replaces what is known otherwise.
    """
    plan, returned = operation.outbound, _returned(operation, context.schemas)
    found = {**_conditional(operation), **returned}
    for status in plan.responses:
        known = found.get(str(status), {})
        if str(status) not in returned:
            own = _response(operation, plan.usual, status, schemas=context.schemas)
            known = {**known, **own}
        found[str(status)] = _declared(operation, status, known, context=context)
    return found


def _returned(operation: Operation, schemas: Schemas) -> dict[str, JsonObject]:
    """What the return annotation says, by status, with the usual status of a success.

    A member with a status and one without may have the same.
    """
    plan = operation.outbound
    found: dict[str, JsonObject] = {}
    if plan.has_default:
        found[str(plan.status)] = _response(
            operation, plan.usual, plan.status, schemas=schemas
        )
    for status, content in plan.annotated.items():
        described = _response(operation, content, status, schemas=schemas)
        headers = describe_headers(content, schemas)
        if known := found.get(str(status)):
            joined = either(known.get("content", {}), described.get("content", {}))
            described = _without_empty({**known, **described, "content": joined})
            headers = {name: _optional(header) for name, header in headers.items()}
        if headers:
            described["headers"] = join_headers(described.get("headers", {}), headers)
        found[str(status)] = described
    return found


def _optional(header: JsonObject) -> JsonObject:
    return {key: value for key, value in header.items() if key != "required"}


def _conditional(operation: Operation) -> dict[str, JsonObject]:
    """The response to a client that has the content already.

    Source: RFC 9110, 13.2.2 and 15.4.5.
    """
    if not operation.declaration.etag or operation.method not in ("GET", "HEAD"):
        return {}
    return {"304": {"description": status_phrase(304), "headers": dict(ETAG)}}


def _declared(
    operation: Operation,
    status: int | str,
    known: JsonObject,
    *,
    context: DocumentContext,
) -> JsonObject:
    """The Response Object of a status, with what ``responses=`` says of it.

    :param known: what is described without that.
    """
    plan, schemas = operation.outbound, context.schemas
    declared, content = plan.responses[status], known.get("content", {})
    headers = context.extras.describe(header_objects(declared.headers), schemas)
    described = {
        **({"summary": declared.summary} if declared.summary else {}),
        **known,
        "description": declared.description or known["description"],
        "headers": join_headers(known.get("headers", {}), headers),
        "content": declared_content(content, plan, status, schemas=schemas),
    }
    return _without_empty(described)


def _response(
    operation: Operation, own: Content, status: int | str, *, schemas: Schemas
) -> JsonObject:
    """What a view returns with a status, by how that is written.

    Content that is declared of a class of statuses is that of each of them.
    """
    plan = operation.outbound
    declared = plan.responses
    key = next((key for key in keys_of_response(status) if key in declared), status)
    known_only = key in declared and bool(declared[key].content)
    content = response_content(
        plan, own, status, schemas=schemas, known_only=known_only
    )
    if known_only and key != status:
        content = {**written_content({}, declared[key], schemas), **content}
    is_tagged = plan.declaration.etag and own.stream is None
    described = {
        "description": _description(operation, status),
        "headers": dict(ETAG) if is_tagged and is_success_content(status) else {},
        "content": content,
    }
    return _without_empty(described)


def _description(operation: Operation, status: int | str) -> str:
    given = operation.declaration.response_description
    plan = operation.outbound
    usual = plan.status
    if not plan.has_default:
        # The first success of those that are annotated.
        usual = next(filter(is_success, plan.annotated), usual)
    if given and status == usual:
        return given
    return status_phrase(status)


def status_phrase(status: int | str) -> str:
    """The phrase of a status: ``"Not Found"``, ``"Client error"`` for ``"4XX"``."""
    if isinstance(status, str):
        return STATUS_CLASSES[status]
    return HTTP_STATUS_CODES.get(status, STATUS_CLASSES[f"{status // 100}XX"])


def _without_empty(described: JsonObject) -> JsonObject:
    return {key: value for key, value in described.items() if value}


def raised_before(operation: Operation) -> Iterator[tuple[type[Exception], str]]:
    """The exceptions that are raised before the view is called, with descriptions."""
    plan, refused = operation.inbound, _refused_statuses(operation)
    yield from (item for item in REFUSED_ERRORS if item[0].code in refused)
    if any(map(can_fail, operation.inbound_plans)):
        yield RequestValidationError, RequestValidationError.description
    if plan.body is not None or plan.form_types:
        yield from WITH_BODY


def _refused_statuses(operation: Operation) -> set[int]:
    """The statuses of requests that a security requirement refuses.

    An optional one refuses credentials that are wrong.
    """
    dependencies = operation.dependencies
    if dependencies is None or not dependencies.parts:
        return set()
    parts = [requirement for _, requirement in dependencies.parts]
    scopes = [leaf.scope_names for part in parts for leaf in part.leaves()]
    return {401, 403} if any(scopes) else {401}


def can_fail(plan: InboundPlan) -> bool:
    """Whether there is a request that the arguments of an operation refuse."""
    if plan.body is not None or plan.form_types:
        return True
    if plan.validator is None:
        return False
    core: t.Any = plan.validator.adapter.core_schema
    fields = core.get("schema", core).get("fields", {})
    locations = {item.key: item.location for item in plan.arguments}
    return not fields or any(
        _field_can_fail(field, locations[name]) for name, field in fields.items()
    )


def _field_can_fail(field: t.Any, location: Location) -> bool:
    if field.get("required", True) and location is not Location.PATH:
        return True
    return not _accepts_any_string(field["schema"])


def _accepts_any_string(core: t.Any) -> bool:
    while core["type"] in TRANSPARENT_BODIES and "schema" in core:
        core = core["schema"]
    if core.keys() - UNCONSTRAINED:
        return False
    if core["type"] in LIST_SCHEMAS:
        return _accepts_any_string(core.get("items_schema", {"type": "any"}))
    return core["type"] in ("str", "any")


def _raises(operation: Operation) -> list[type[Exception]]:
    """The exceptions that an operation names, and its dependencies do."""
    of_view, dependencies = operation.declaration.raises, operation.dependencies
    of_dependencies = [] if dependencies is None else dependencies.raises
    # Classes that a function makes have one name, and a set has no order.
    return sorted(dict.fromkeys([*of_view, *of_dependencies]), key=show_class)


def show_class(cls: type) -> str:
    """The full name of a class."""
    return f"{cls.__module__}.{cls.__qualname__}"


def _is_error(key: str) -> bool:
    """Whether a key of a Responses Object may be of an error."""
    return key == "default" or key >= "4"


def _add_response(found: JsonObject, responses: Iterable[Response]) -> None:
    for key, response in responses:
        found[key] = _either(found[key], response) if key in found else response


def _either(one: JsonObject, other: JsonObject) -> JsonObject:
    """The Response Object of one of two responses, in the words of the first."""
    content = either(one.get("content", {}), other.get("content", {}))
    both = [one.get("headers", {}), other.get("headers", {})]
    headers = {
        name: header
        if all(known.get(name, {}).get("required") for known in both)
        else {key: value for key, value in header.items() if key != "required"}
        for name, header in (both[1] | both[0]).items()
    }
    joined = {**other, **one, "content": content, "headers": headers}
    return {key: value for key, value in joined.items() if value != {}}


class _Errors:
    """The responses to the errors of one operation."""

    def __init__(self, operation: Operation, context: DocumentContext) -> None:
        self._operation = operation
        self._context = context
        self._app = operation.outbound.app
        self._handlers = Registry.of(self._app).handlers

    def answers(
        self,
        exception: type[Exception],
        description: str | None = None,
        key: str = "",
    ) -> Iterator[Response]:
        """The responses to an exception, by what its error handler says.

        :param description: of the responses, ``None`` for the phrases of the statuses.
        :param key: the status, or a class of them, where the exception has none.
        """
        endpoint, key = self._operation.route.endpoint, key or _response_key(exception)
        code = int(key) if key.isdigit() else None
        handler = find_handler(self._app, endpoint, exception, code=code)
        is_standard = self._handlers.is_standard(handler)
        plan, writer = self._handlers.plan_of(handler), self._context.error_writer
        if plan is not None:
            yield from self._annotated(plan, description)
        if plan is not None and not plan.has_default:
            return
        if issubclass(exception, RequestValidationError):
            is_known = is_standard or handler is None
            content = self._content(writer.request_adapter) if is_known else {}
            status = str(writer.status) if is_known else "4XX"
            yield _error_response(status, description or exception.description, content)
        elif key:
            # A redirect is Werkzeug's own.
            has_content = is_standard and _is_error(key)
            content = self._content(writer.http_adapter) if has_content else {}
            yield _error_response(key, description, content)

    def raised(self, exception: type[Exception]) -> Iterator[Response]:
        """The responses to an exception that ``raises=`` names.

        There is a warning if nothing is known of them.
        """
        found = [*self.answers(exception)]
        if not found:
            endpoint = self._operation.route.endpoint
            handler = find_handler(self._app, endpoint, exception)
            self._warn(exception, is_standard=self._handlers.is_standard(handler))
        yield from found

    def standard(self, key: str, response: JsonObject) -> Iterator[Response]:
        """The responses that a status means which is declared without a model.

        422 is an invalid request. A format that answers with another status
        leaves it to ``abort()`` as well.
        """
        exceptions: list[type[Exception]] = [_exception_of(key)]
        if key == REFUSED_STATUS:
            is_own = key == str(self._context.error_writer.status)
            exceptions = [RequestValidationError, *([] if is_own else exceptions)]
        for exception in exceptions:
            for status, answer in self.answers(exception, key=key):
                yield status, {**answer, **response} if status == key else answer

    def aborted(self, key: str) -> Iterator[Response]:
        """The responses to ``abort()`` that have a status, or one of a class."""
        for status, answer in self.answers(_exception_of(key), key=key):
            if key in ("default", status, f"{status[:1]}XX"):
                yield key, answer

    def _annotated(
        self, plan: OutboundPlan, description: str | None
    ) -> Iterator[Response]:
        """What an error handler says that it sends."""
        schemas = self._context.schemas
        for status, own in plan.annotated.items():
            content = response_content(plan, own, status, schemas=schemas)
            headers = describe_headers(own, schemas)
            key, response = _error_response(
                str(status), description, {"content": content}
            )
            yield key, {**response, **({"headers": headers} if headers else {})}

    def _warn(self, exception: type[Exception], *, is_standard: bool) -> None:
        """Warn of an exception of which nothing says what is sent.

        :param is_standard: whether that is an error of the application, of which a
            status that is declared without a model may be the description.
        """
        declared = self._operation.outbound.responses.values()
        if is_standard and any(item.is_standard for item in declared):
            return
        advice = STANDARD_ADVICE if is_standard else ADVICE
        problem = f"raises= names {exception.__name__!r}, {advice}"
        rule = f"{self._operation.method} {self._operation.template.path}"
        message = locate(rule, problem, self._operation.view_callable)
        warnings.warn(SignatureWarning(message), stacklevel=2)

    def _content(self, adapter: t.Any) -> JsonObject:
        schema = self._context.schemas.serialized(adapter)
        media_type = self._context.error_writer.media_type
        return {"content": {media_type: {"schema": schema}}}


def _error_response(key: str, description: str | None, content: JsonObject) -> Response:
    shown = description or status_phrase(int(key) if key.isdigit() else key)
    return key, {"description": shown, **{k: v for k, v in content.items() if v}}


def _exception_of(key: str) -> type[Exception]:
    """What ``abort()`` raises for a status, or any of what it raises."""
    code = int(key) if key.isdigit() else 0
    return default_exceptions.get(code, HTTPException)


def _response_key(exception: type[Exception]) -> str:
    """The status of an exception, ``""`` if it has none that HTTP knows."""
    code = exception.code if issubclass(exception, HTTPException) else None
    return "" if code is None or not is_status(code) else str(status_code(code))
