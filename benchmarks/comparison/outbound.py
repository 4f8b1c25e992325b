"""What is asked about responses."""

from __future__ import annotations

import json

from ..answer import Answer
from .peer import Peer
from .values import SECRET

NAME = b"Chair"
MESSAGE = b"No such item"


def _hides(answer: Answer, wanted: bytes) -> bool:
    return wanted in answer.body and SECRET.encode() not in answer.body


def find_filtered(peer: Peer) -> str:
    """Whether a field that the model does not have is dropped."""
    if _hides(peer.get("/extra"), NAME):
        return "yes"
    return "option" if _hides(peer.get("/opted/extra"), NAME) else "no"


def find_validated(peer: Peer) -> str:
    """Whether a value that the model refuses is a 500 instead of being sent."""
    if peer.get("/wrong").status == 500:
        return "yes"
    return "option" if peer.get("/opted/wrong").status == 500 else "no"


def find_statuses(peer: Peer) -> str:
    """What a model that is declared for 404 does to a 404."""
    if _hides(peer.get("/gone"), MESSAGE):
        return "applied"
    if _hides(peer.get("/opted/gone"), MESSAGE):
        return "option"
    responses = peer.operation("/gone").get("responses", {})
    declared = json.dumps(responses.get("404", {}))
    return "described" if "schema" in declared else "no"


def find_events(peer: Peer) -> str:
    """What it has for server-sent events: typed and described, or only sent."""
    sent = dict(peer.get("/events").headers)
    types = {name.lower(): value for name, value in sent.items()}
    if not types.get("content-type", "").startswith("text/event-stream"):
        return "by hand"
    described = json.dumps(peer.operation("/events"))
    typed = "text/event-stream" in described and "schemas/Item" in described
    return "typed" if typed else "sent"
