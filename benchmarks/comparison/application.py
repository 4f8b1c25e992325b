"""What is asked about writing an application."""

from __future__ import annotations

import flask

from .. import shop
from ..scenario import Request
from .peer import Peer, read
from .values import TOKEN


def find_dependencies(peer: Peer) -> str:
    """Whether a view declares what it needs, which is closed, and replaced in tests."""
    if read(peer.get("/session")) != {"opened": 1} or shop.Session.opened != 0:
        return "no"
    if not hasattr(peer.module, "override"):
        return "no override"
    app = peer.module.build()
    peer.module.override(app, Replaced())
    return "yes" if read(peer.get("/session", app)) == {"opened": 7} else "no override"


class Replaced:
    """Stands in the place of a session."""

    opened = 7


def find_security(peer: Peer) -> str:
    """Whether the scheme that is described is what refuses a request."""
    credentials = getattr(peer.module, "CREDENTIALS", f"Bearer {TOKEN}")
    request = Request("/private", headers=(("Authorization", credentials),))
    allowed = read(peer.ask(request)) == {"user": "Ada"}
    if allowed and peer.get("/private").status == 401 and _is_described(peer):
        return "enforced"
    return "described" if _is_described(peer) else "no"


def _is_described(peer: Peer) -> bool:
    needed = peer.operation("/private").get("security", peer.document.get("security"))
    return bool(needed)


def find_mistake(peer: Peer) -> str:
    """When a view is refused that has no argument for a variable of its URL."""
    try:
        app = peer.module.build_mistake()
    except Exception:
        return "start"
    return "request" if peer.get("/items/7", app).status == 500 else "never"


def find_flask(peer: Peer) -> str:
    """Whether a view and a blueprint of plain Flask work in its application."""
    app = peer.module.build()
    if not isinstance(app, flask.Flask):
        return "no"
    plain = flask.Blueprint("plain", __name__)
    plain.add_url_rule("/plain/<name>", view_func=greet)
    app.register_blueprint(plain)
    app.before_request(_add_greeting)
    return "yes" if peer.get("/plain/Ada", app).body == b"Hello, Ada" else "no"


def greet(name: str) -> str:
    """A view of plain Flask."""
    return f"{flask.g.greeting}, {name}"


def _add_greeting() -> None:
    flask.g.greeting = "Hello"


def find_class(peer: Peer) -> str:
    """Whether a method of a class reads what it declares."""
    return _reads_page(peer, "/class")


def find_async(peer: Peer) -> str:
    """Whether an asynchronous view reads what it declares."""
    return _reads_page(peer, "/async")


def _reads_page(peer: Peer, path: str) -> str:
    right, wrong = peer.get(path, page="3"), peer.get(path, page="x")
    reads = read(right) == {"page": 3} and 400 <= wrong.status < 500
    return "yes" if reads else "no"
