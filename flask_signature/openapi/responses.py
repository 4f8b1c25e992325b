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

from .._common import is_status, is_success
from .._operations.errors import find_handler
from .._operations.registry import Registry
from .._outbound.responses import NO_DECLARED
from .._signature.views import locate
from ..exceptions import RequestValidationError, SignatureWarning
from ..params import Location
from .content import (
    ETAG,
    describe_response,
    either_response,
    join_headers,
    status_phrase,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .._inbound.plan import InboundPlan
    from .._operations.registry import Operation
    from .._types.adapters import Adapter
    from .schemas import JsonObject, Schemas

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


class OperationResponses:
    """The responses of one operation, and of what handles its errors."""

    def __init__(self, operation: Operation, schemas: Schemas) -> None:
        self._operation, self._schemas = operation, schemas
        self._plan, self._app = operation.outbound, operation.outbound.app
        registry = Registry.of(self._app)
        self._handlers, self._writer = registry.handlers, registry.error_writer

    def describe(self) -> JsonObject:
        """The Response Objects by status.

        An error that is declared with a model, or annotated, may be one of ``abort()``
        all the same, which can't be seen. What is declared without a model is one.
        """
        returned, plan = self._without_errors(), self._plan
        declared = {
            str(status): item
            for status, item in plan.responses.items()
            # An annotation replaces what is declared.
            if status not in plan.annotated
        }
        standard = {
            key
            for key, item in declared.items()
            if item.is_standard and "content" not in returned[key]
        }
        found = {key: item for key, item in returned.items() if key not in standard}
        for exception, description in raised_before(self._operation):
            _add(found, self._answers(exception, description))
        for exception in _raises(self._operation):
            _add(found, self._answers(exception))
        _add(found, [*self._of_classes(found.keys() - returned.keys())])
        for key, response in returned.items():
            if key in standard:
                _add(found, self._standard(key, response))
                # The author's words count, whatever else sends such a response.
                given = declared[key].description
                if given and key in found:
                    found[key] = {**found[key], "description": given}
            # None says that there is nothing to describe: responses={404: None}.
            elif _is_error(key) and (
                "content" in response or declared.get(key) != NO_DECLARED
            ):
                _add(found, self._aborted(key))
        if self._operation.method == "HEAD":
            for response in found.values():
                response.pop("content", None)
        return {status: found[status] for status in sorted(found)}

    def _without_errors(self) -> JsonObject:
        """What a view returns, and what is declared, by status.

        The author's declaration of a status replaces what is known otherwise.
        """
        plan = self._plan
        found: JsonObject = {}
        if plan.has_default:
            found[str(plan.status)] = self._returned(None)
        for status in {**plan.annotated, **plan.responses}:
            # A member with a status and one without may have the same.
            if status in plan.annotated or str(status) not in found:
                _add(found, [(str(status), self._returned(status))])
        if plan.declaration.etag and self._operation.method in ("GET", "HEAD"):
            # To a client that has the content. Source: RFC 9110, 13.2.2 and 15.4.5.
            known = found.get("304", {"description": status_phrase("304")})
            headers = join_headers(ETAG, known.get("headers", {}))
            found["304"] = {**known, "headers": headers}
        return found

    def _returned(self, named: int | str | None) -> JsonObject:
        """What a view returns with a status, or without one."""
        plan = self._plan
        status = plan.status if named is None else named
        description = plan.responses.get(status, NO_DECLARED).description
        usual = plan.status
        if not plan.has_default:
            # The first success of those that are annotated.
            usual = next(filter(is_success, plan.annotated), usual)
        if status == usual:
            description = description or plan.declaration.response_description
        return describe_response(
            plan, named, description=description, schemas=self._schemas
        )

    def _answers(
        self,
        exception: type[Exception],
        description: str | None = None,
        key: str = "",
    ) -> Iterator[Response]:
        """The responses to an exception, by what its error handler says.

        There is a warning if nothing is known of them.

        :param description: of the responses, ``None`` for the phrases of the statuses.
        :param key: the status, or a class of them, where the exception has none.
        """
        key = key or _response_key(exception)
        code = int(key) if key.isdigit() else None
        endpoint = self._operation.route.endpoint
        handler = find_handler(self._app, endpoint, exception, code=code)
        is_standard = self._handlers.is_standard(handler)
        plan, writer = self._handlers.plan_of(handler), self._writer
        if plan is not None:
            # Where another one has the status of the exception, it is about that alone.
            about = {code} & plan.annotated.keys() or plan.annotated.keys()
            for status in plan.annotated:
                shown = description if status in about else None
                described = describe_response(
                    plan, status, description=shown, schemas=self._schemas
                )
                yield str(status), described
            if not plan.has_default:
                return
        if issubclass(exception, RequestValidationError):
            is_known = is_standard or handler is None
            key = str(writer.status) if is_known else "4XX"
            adapter = writer.request_adapter if is_known else None
            yield self._error(key, description or exception.description, adapter)
        elif key:
            # A redirect is Werkzeug's own.
            has_content = is_standard and _is_error(key)
            adapter = writer.http_adapter if has_content else None
            yield self._error(key, description, adapter)
        elif plan is None:
            self._warn(exception, is_standard=is_standard)

    def _error(
        self, key: str, description: str | None, adapter: Adapter | None
    ) -> Response:
        """What the application sends for an error, the content where it is known."""
        response: JsonObject = {"description": description or status_phrase(key)}
        if adapter is not None:
            schema = {"schema": self._schemas.serialized(adapter)}
            response["content"] = {self._writer.media_type: schema}
        return key, response

    def _standard(self, key: str, response: JsonObject) -> Iterator[Response]:
        """The responses that a status means which is declared without a model.

        422 is an invalid request. A format that answers with another status
        leaves it to ``abort()`` as well.
        """
        exceptions: list[type[Exception]] = [_exception_of(key)]
        if key == "422":
            is_own = key == str(self._writer.status)
            exceptions = [RequestValidationError, *([] if is_own else exceptions)]
        for exception in exceptions:
            for status, answer in self._answers(exception, key=key):
                yield status, {**answer, **response} if status == key else answer

    def _of_classes(self, keys: Iterable[str]) -> Iterator[Response]:
        """What else has the statuses of errors, as what is declared of ``"4XX"``."""
        for key in keys:
            if key >= "4" and key.isdigit() and self._plan.find(int(key)).serializer:
                yield key, self._returned(int(key))
                yield from self._aborted(key)

    def _aborted(self, key: str) -> Iterator[Response]:
        """The responses to ``abort()`` that have a status, or one of a class."""
        for status, answer in self._answers(_exception_of(key), key=key):
            if key in ("default", status, f"{status[:1]}XX"):
                yield key, answer

    def _warn(self, exception: type[Exception], *, is_standard: bool) -> None:
        """Warn of an exception of which nothing says what is sent.

        :param is_standard: whether that is an error of the application, of which a
            status that is declared without a model may be the description.
        """
        if is_standard and any(x.is_standard for x in self._plan.responses.values()):
            return
        advice = STANDARD_ADVICE if is_standard else ADVICE
        problem = f"raises= names {exception.__name__!r}, {advice}"
        rule = f"{self._operation.method} {self._operation.template.path}"
        message = locate(rule, problem, self._operation.view_callable)
        warnings.warn(SignatureWarning(message), stacklevel=2)


def raised_before(operation: Operation) -> Iterator[tuple[type[Exception], str]]:
    """The exceptions that are raised before the view is called, with descriptions."""
    dependencies, plan = operation.dependencies, operation.inbound
    needs = [] if dependencies is None else [x for _, x in dependencies.parts]
    if needs:
        # An optional requirement refuses credentials that are wrong.
        yield Unauthorized, "Credentials are missing, or not valid."
    if any(leaf.scope_names for part in needs for leaf in part.leaves()):
        yield Forbidden, "The credentials lack a scope."
    if any(map(can_fail, operation.inbound_plans)):
        yield RequestValidationError, RequestValidationError.description
    if plan.body is not None or plan.form_types:
        yield RequestEntityTooLarge, "The body of the request is too large."
        shown = "The body of the request is of another content type."
        yield UnsupportedMediaType, shown


def can_fail(plan: InboundPlan) -> bool:
    """Whether there is a request that the arguments of an operation refuse."""
    if plan.body is not None or plan.form_types:
        return True
    if plan.validator is None:
        return False
    core: t.Any = plan.validator.adapter.core_schema
    fields = core.get("schema", core).get("fields", {})
    in_path = {x.key for x in plan.signature.arguments if x.location is Location.PATH}
    return not fields or any(
        (field.get("required", True) and name not in in_path)
        or not _accepts_any_string(field["schema"])
        for name, field in fields.items()
    )


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
    return sorted(
        dict.fromkeys([*of_view, *of_dependencies]),
        key=lambda cls: f"{cls.__module__}.{cls.__qualname__}",
    )


def _is_error(key: str) -> bool:
    """Whether a key of a Responses Object may be of an error."""
    return key == "default" or key >= "4"


def _add(found: JsonObject, responses: Iterable[Response]) -> None:
    for key, response in responses:
        known = found.get(key)
        found[key] = either_response(known, response) if known else response


def _exception_of(key: str) -> type[Exception]:
    """What ``abort()`` raises for a status, or any of what it raises."""
    code = int(key) if key.isdigit() else 0
    return default_exceptions.get(code, HTTPException)


def _response_key(exception: type[Exception]) -> str:
    """The status of an exception, ``""`` if it has none that HTTP knows."""
    code = exception.code if issubclass(exception, HTTPException) else None
    return str(int(code)) if code is not None and is_status(code) else ""
