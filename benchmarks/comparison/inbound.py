"""What is asked about requests."""

from __future__ import annotations

import re

from .peer import UPLOAD, Order, Peer, note, read

SENT = "v57c1e0a9"
NAMES = {
    "page": "page",
    "count": "x.count",
    "size": "size",
    "name": "name",
    "price": "price",
}


def find_locations(peer: Peer) -> str:
    """The parts of a request that a view declares: ``"all six"``, or those it can't.

    A part counts if a valid value arrives and an invalid one is refused.
    """
    sent = read(peer.ask(Order().to_request()))
    missing = [
        location
        for location, key, invalid in (
            ("query", "page", Order(page="x")),
            ("header", "count", Order(count="x")),
            ("cookie", "size", Order(size="x")),
            ("JSON", "name", Order(item={"name": "", "price": 1})),
        )
        if key not in sent or not _refuses(peer, invalid)
    ]
    if read(peer.ask(note("6"))) != {"n": 6} or peer.ask(note("x")).status < 400:
        missing.append("form")
    if read(peer.ask(UPLOAD)) != {"filename": "chair.png"}:
        missing.append("file")
    return f"no {', '.join(missing)}" if missing else "all six"


def _refuses(peer: Peer, order: Order) -> bool:
    return 400 <= peer.ask(order.to_request()).status < 500


def count_failures(peer: Peer) -> str:
    """Whether one answer names what is wrong in each location that is read."""
    readable = read(peer.ask(Order().to_request())).keys() | {"price"}
    wrong = Order(page="x", count="x", size="x", item={"name": "", "price": "x"})
    body = peer.ask(wrong.to_request()).body.decode()
    # In quotation marks, so that the name of a field in a message or a URL is none.
    named = {key for key, name in NAMES.items() if re.search(f'"{name}"', body, re.I)}
    return "everything" if readable <= named else "a location"


def find_status(peer: Peer) -> str:
    """The status of a refused JSON body."""
    item = {"name": "", "price": "x"}
    return str(peer.ask(Order(item=item).to_request()).status)


def find_echoed(peer: Peer) -> str:
    """Whether what the client sent is in the body of the refusal."""
    orders = {
        "query": Order(page=SENT),
        "header": Order(count=SENT),
        "cookie": Order(size=SENT),
        "JSON": Order(item={"name": "Chair", "price": SENT}),
    }
    echoed = []
    refused = []
    for location, order in orders.items():
        answer = peer.ask(order.to_request())
        if answer.status >= 400:
            refused.append(location)
            if SENT.encode() in answer.body:
                echoed.append(location)
    if echoed == refused:
        return "yes"
    return ", ".join(echoed) or "no"
