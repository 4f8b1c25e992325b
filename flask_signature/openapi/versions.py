"""What one version of OpenAPI can say and another can't, a row for each.

A document that says all of it goes in, what is left of it in one version comes out.
Source: OpenAPI 3.1 and 3.2.
"""

from __future__ import annotations

import typing as t

from .content import is_json_media_type

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .schemas import JsonObject


#: The methods that a Path Item Object names, and the others that one of 3.2 may have.
#: Source: OpenAPI 3.1, Path Item Object; OpenAPI 3.2, ``additionalOperations``.
METHODS_OF_PATHS: t.Final = (
    *("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"),
)

QUERY: t.Final = "QUERY"

OTHER_METHODS: t.Final = "additionalOperations"


class Version(t.NamedTuple):
    """One version of OpenAPI.

    :param number: the value of ``openapi`` in a document.
    :param has_all_methods: whether an operation of any method can be described.
    :param changes: by the kind of an object, and by one of its keys: what changes it.
    """

    number: str
    has_all_methods: bool
    changes: Mapping[str, Mapping[str, Callable[[JsonObject, str], None]]]

    def has(self, method: str) -> bool:
        """Whether an operation of a method can be described."""
        return self.has_all_methods or method in METHODS_OF_PATHS


def _leave_out(found: JsonObject, key: str) -> None:
    del found[key]


def _leave_out_whole(found: JsonObject, key: str) -> None:
    """A sequence has a schema for its items, and none as if it were one value."""
    found.pop("schema", None)


def _call(name: str) -> Callable[[JsonObject, str], None]:
    def change(found: JsonObject, key: str) -> None:
        found[name] = found.pop(key)

    return change


def _add_parents(document: JsonObject, key: str) -> None:
    """A parent is a tag of the document. Source: OpenAPI 3.2, Tag Object."""
    tags = document[key]
    names = {tag["name"] for tag in tags}
    parents = dict.fromkeys(tag["parent"] for tag in tags if "parent" in tag)
    document[key] = [*tags, *({"name": name} for name in parents if name not in names)]


VERSIONS: t.Final = {
    "3.1": Version(
        "3.1.0",
        has_all_methods=False,
        changes={
            "document": {"$self": _leave_out},
            "server": {"name": _leave_out},
            "tag": dict.fromkeys(("summary", "parent", "kind"), _leave_out),
            "scheme": dict.fromkeys(("deprecated", "oauth2MetadataUrl"), _leave_out),
            "flows": {"deviceAuthorization": _leave_out},
            "response": {"summary": _leave_out},
            "media type": {"itemSchema": _leave_out},
        },
    ),
    "3.2": Version(
        "3.2.0",
        has_all_methods=True,
        changes={
            "document": {"tags": _add_parents},
            "media type": {"itemSchema": _leave_out_whole},
            "example of data": {"value": _call("dataValue")},
            "example of text": {"value": _call("serializedValue")},
        },
    ),
}


def in_version(document: JsonObject, version: Version) -> JsonObject:
    """A document as a version has it."""
    for kind, found in _objects(document):
        for key, change in version.changes.get(kind, {}).items():
            if key in found:
                change(found, key)
    return document


def place_of(method: str) -> tuple[str, ...]:
    """The keys of an operation in a Path Item Object, by its method."""
    if method in METHODS_OF_PATHS or method == QUERY:
        return (method.lower(),)
    return (OTHER_METHODS, method)


def operations_in(path_item: JsonObject) -> Iterator[JsonObject]:
    """The operations of a Path Item Object."""
    for method in (*METHODS_OF_PATHS, QUERY):
        if method.lower() in path_item:
            yield path_item[method.lower()]
    yield from path_item.get(OTHER_METHODS, {}).values()


def _objects(document: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """The objects of a document that the versions differ in, each with its kind."""
    yield "document", document
    for kind, key in ("server", "servers"), ("tag", "tags"):
        yield from ((kind, item) for item in document.get(key, ()))
    for scheme in document.get("components", {}).get("securitySchemes", {}).values():
        yield "scheme", scheme
        yield "flows", scheme.get("flows", {})
    for key in "paths", "webhooks":
        for path_item in document.get(key, {}).values():
            for operation in operations_in(path_item):
                yield from _objects_of(operation)


def _objects_of(operation: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    for parameter in operation.get("parameters", ()):
        for example in parameter.get("examples", {}).values():
            yield "example of data", example
    responses = [*operation.get("responses", {}).values()]
    yield from (("response", response) for response in responses)
    for body in (operation.get("requestBody", {}), *responses):
        for media_type, item in body.get("content", {}).items():
            yield "media type", item
            is_text = not is_json_media_type(media_type)
            for example in item.get("examples", {}).values():
                is_written = is_text and isinstance(example.get("value"), str)
                yield f"example of {'text' if is_written else 'data'}", example
