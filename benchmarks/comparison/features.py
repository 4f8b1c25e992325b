"""What the others have and flask_signature has nothing for, by where it is found."""

from __future__ import annotations

import importlib
import importlib.util
import typing as t

from .peer import Peer

#: The title of a row, and for each library that has it a module, or a name in one.
FEATURES: t.Final[dict[str, dict[str, str]]] = {
    "WebSockets": {"fastapi": "fastapi:WebSocket", "litestar": "litestar:websocket"},
    "Work after the response": {
        "fastapi": "fastapi:BackgroundTasks",
        "litestar": "litestar.background_tasks:BackgroundTask",
    },
    "marshmallow schemas": {
        "apiflask": "apiflask:Schema",
        "flask_smorest": "flask_smorest.fields:Upload",
    },
    "msgspec models": {
        "spectree": "spectree.model_adapter.msgspec_adapter",
        "litestar": "litestar.dto.msgspec_dto:MsgspecDTO",
    },
    "Paging": {
        "apiflask": "apiflask:pagination_builder",
        "flask_smorest": "flask_smorest.pagination:Page",
        "litestar": "litestar.pagination:OffsetPagination",
    },
    "ETag and If-Match": {"flask_smorest": "flask_smorest.etag:EtagMixin"},
    "Fields that a client chooses": {"flask_restx": "flask_restx:Mask"},
    "Postman collection": {"flask_restx": "flask_restx.postman:PostmanCollectionV1"},
    "JWT and session login": {"litestar": "litestar.security.jwt:JWTAuth"},
    "Cache, rate limit": {"litestar": "litestar.middleware.rate_limit:RateLimitConfig"},
    "Redoc and other pages": {
        "apiflask": "apiflask.ui_templates:redoc_template",
        "flask_smorest": "flask_smorest.spec:DocBlueprintMixin._openapi_redoc",
        "flask_openapi3": "flask_openapi3.openapi:OpenAPI._init_doc",
        "spectree": "spectree.page:PAGE_TEMPLATES",
        "fastapi": "fastapi.openapi.docs:get_redoc_html",
        "litestar": "litestar.openapi.plugins:RedocRenderPlugin",
    },
    "The same on other frameworks": {"spectree": "spectree.plugins.falcon_plugin"},
}

HEAD: t.Final = "Who has it"


def find_owners(peers: list[Peer]) -> dict[str, list[str]]:
    """The rows of the table: who of the libraries has a feature, in their order."""
    return {
        title: [", ".join(each.module.TITLE for each in peers if _has(each, places))]
        for title, places in FEATURES.items()
    }


def _has(peer: Peer, places: dict[str, str]) -> bool:
    module, _, path = places.get(peer.name, "").partition(":")
    if not module or importlib.util.find_spec(module) is None:
        return False
    value: t.Any = importlib.import_module(module) if path else None
    for name in path.split(".") if path else ():
        value = getattr(value, name, None)
        if value is None:
            return False
    return True
