"""Operations by path: names, summaries, security.

Operations go in, path items come out. Source: OpenAPI 3.1, Paths Object, Operation
Object and Security Requirement Object.
"""

from __future__ import annotations

import logging
import re
import textwrap
import typing as t
from collections import Counter
from collections.abc import Mapping
from itertools import count

from .._signature.views import source_location
from ..exceptions import SignatureError
from ..security import SecurityScheme
from ..typing import DescribedOperation
from .content import without_empty
from .requests import describe_body, describe_parameters
from .responses import OperationResponses

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .._operations.registry import Operation
    from .._settings import NamingHook, Settings
    from ..security import Requirement
    from .schemas import JsonObject, Schemas


#: The methods that a Path Item Object names, and the others that one of 3.2 may have.
#: Source: OpenAPI 3.1, Path Item Object; OpenAPI 3.2, ``additionalOperations``.
METHODS_OF_PATHS: t.Final = (
    *("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"),
)

QUERY: t.Final = "QUERY"

OTHER_METHODS: t.Final = "additionalOperations"

LOGGER = logging.getLogger("flask_signature.openapi")

PATH_VARIABLE = re.compile(r"\{(\w+)\}")


def describe_paths(named: Mapping[str, Operation], schemas: Schemas) -> JsonObject:
    """The Paths Object.

    Paths that differ only in the names of their variables are one path, with the names
    of the first. Two operations may then have the same path and method, as those of
    ``/<int:n>`` and ``/<name>``: the first one is described.
    """
    paths: JsonObject = {}
    shapes: dict[str, str] = {}
    for name, operation in named.items():
        described = describe_operation(operation, name, schemas)
        path = literal_path(operation)
        known = shapes.setdefault(PATH_VARIABLE.sub("{}", path), path)
        _rename(described, path, known)
        item, key = paths.setdefault(known, {}), operation.method.lower()
        if operation.method not in (*METHODS_OF_PATHS, QUERY):
            item, key = item.setdefault(OTHER_METHODS, {}), operation.method
        if item.setdefault(key, described) is not described:
            LOGGER.warning(
                "%s %s is left out of the OpenAPI document, which has such a path"
                " already.",
                operation.method,
                operation.route.rule,
            )
    return paths


def literal_path(operation: Operation) -> str:
    """The path of an operation, with braces around variables only."""
    template = operation.template
    return re.sub(
        r"\{(\w+)\}|[{}]",
        lambda match: (
            match[0]
            if match[1] in template.converters
            else match[0].replace("{", "%7B").replace("}", "%7D")
        ),
        template.path,
    )


def _rename(described: JsonObject, path: str, known: str) -> None:
    names = dict(
        zip(PATH_VARIABLE.findall(path), PATH_VARIABLE.findall(known), strict=True)
    )
    for parameter in described.get("parameters", ()):
        if parameter.get("in") == "path":
            name = parameter["name"]
            parameter["name"] = names.get(name, name)


def describe_operation(
    operation: Operation, operation_id: str, schemas: Schemas
) -> JsonObject:
    """The Operation Object of one method on one path."""
    declaration = operation.declaration
    summary, description = describe_purpose(operation)
    described = without_empty(
        {
            "tags": [*declaration.all_tags],
            "summary": summary,
            "description": description,
            "operationId": operation_id,
            "deprecated": declaration.deprecated,
            "parameters": describe_parameters(operation, schemas),
            "requestBody": describe_body(operation.inbound, schemas),
        }
    )
    described["responses"] = OperationResponses(operation, schemas).describe()
    if declaration.callbacks:
        described["callbacks"] = schemas.describe(declaration.callbacks)
    if operation.requirement is not None:
        described["security"] = describe_requirements(operation.requirement)
    return merge(described, schemas.describe(declaration.openapi_extra or {}))


def merge(described: JsonObject, extra: Mapping[str, t.Any]) -> JsonObject:
    """An object with the author's additions: objects are merged, lists are joined.

    A schema of another type is replaced, of which nothing can hold.
    """
    merged = dict(described)
    for key, value in extra.items():
        known = merged.get(key)
        if key == "schema" and _is_of_another_type(known, value):
            merged[key] = value
        elif isinstance(known, dict) and isinstance(value, Mapping):
            merged[key] = merge(known, value)
        elif isinstance(known, list) and isinstance(value, list):
            merged[key] = known + value
        else:
            merged[key] = value
    return merged


def _is_of_another_type(known: t.Any, schema: t.Any) -> bool:
    if not (isinstance(known, Mapping) and isinstance(schema, Mapping)):
        return False
    tp = known.get("type")
    return "$ref" in schema or schema.get("type", tp) != tp


def describe_purpose(operation: Operation) -> tuple[str, str]:
    """The summary of an operation, and its description, which may be ``""``."""
    declaration = operation.declaration
    text = _read_docstring(operation.view_callable.function.__doc__)
    first, _, rest = text.partition("\n\n")
    summary, rest = " ".join(first.split()), rest.strip("\n")
    if declaration.summary is not None:
        summary, rest = declaration.summary, text
    elif not summary:
        summary = _name_purpose(operation)
    if declaration.description is not None:
        rest = declaration.description
    return summary, rest


def _read_docstring(docstring: str | None) -> str:
    """A docstring without its indentation, up to a form feed.

    A line of spaces becomes an empty one.
    """
    first, _, rest = (docstring or "").partition("\f")[0].strip().partition("\n")
    return f"{first}\n{textwrap.dedent(rest)}".strip()


def _name_purpose(operation: Operation) -> str:
    """The summary of a view without a docstring, of its name: ``"List items"``.

    It is made of the endpoint for a function without a name, and for a class-based view
    together with the method: ``"Get items"``.
    """
    view, endpoint = operation.view_callable, operation.route.endpoint
    name = view.name.removesuffix("()")
    if view.view_class is not None or not name.isidentifier():
        name = endpoint.rpartition(".")[2]
    if view.view_class is not None:
        name = f"{operation.method.lower()} {name}"
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:]


def name_operations(
    operations: Sequence[Operation], hook: NamingHook | None
) -> dict[str, Operation]:
    """The operations by their ``operationId``.

    It is made of the endpoint, and of the method where an endpoint has several:
    ``"orders_show_order"``, ``"orders_item_get"``. The path sets apart what is still
    the same then.
    """
    counts = Counter(operation.route.endpoint for operation in operations)
    named: dict[str, Operation] = {}
    for operation in operations:
        several = counts[operation.route.endpoint] > 1
        candidates = _candidates(operation, hook, several=several)
        named[next(name for name in candidates if name not in named)] = operation
    return named


def _candidates(
    operation: Operation, hook: NamingHook | None, *, several: bool
) -> Iterator[str]:
    method = operation.method.lower()
    own = operation.declaration.operation_id or (hook and _run(hook, operation))
    name = own or _identifier(operation.route.endpoint)
    if own or not several:
        yield name
    yield f"{name}_{method}"
    name = f"{name}_{method}_{_identifier(operation.template.path)}"
    yield name
    yield from (f"{name}_{number}" for number in count(2))


def _run(hook: NamingHook, operation: Operation) -> str | None:
    """What a function names an operation, ``None`` for the usual name.

    :raises SignatureError: if that is no string.
    """
    template, route = operation.template, operation.route
    described = DescribedOperation(
        method=operation.method,
        rule=route.rule,
        path=template.path,
        endpoint=route.endpoint,
        tags=operation.declaration.all_tags,
    )
    name: t.Any = hook(described)
    if name is None or isinstance(name, str):
        return name
    problem = (
        f"returned {name!r} for {operation.method} {template.path}. Return a string, or"
        " None for the usual name."
    )
    raise hook_error("SIGNATURE_OPERATION_ID", hook, problem)


def hook_error(key: str, hook: t.Any, problem: str) -> SignatureError:
    """The error of a function that a key of the configuration names."""
    shown = getattr(hook, "__name__", type(hook).__name__)
    return SignatureError(f"{key}: {shown}() {problem} ({source_location(hook)})")


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")


def describe_requirements(requirement: Requirement | None) -> list[JsonObject]:
    """The Security Requirement Objects of what an option says."""
    return [
        {name: [*scopes] for name, (_, scopes) in alternative.items()}
        for alternative in (requirement.alternatives if requirement else ())
    ]


def describe_schemes(
    operations: Iterable[Operation], settings: Settings
) -> dict[str, t.Any]:
    """The Security Scheme Objects by name: those of the settings, and those in use."""
    schemes: dict[str, t.Any] = dict(settings.security_schemes)
    requirements = [operation.requirement for operation in operations]
    for requirement in (*requirements, settings.security):
        for alternative in requirement.alternatives if requirement else ():
            for name, (scheme, _) in alternative.items():
                if scheme is not None:
                    schemes[name] = scheme
    return {
        name: scheme.describe() if isinstance(scheme, SecurityScheme) else dict(scheme)
        for name, scheme in sorted(schemes.items())
    }
