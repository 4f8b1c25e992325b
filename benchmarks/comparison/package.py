"""What is asked about packages: what pip knows, and what was measured."""

from __future__ import annotations

import json
import typing as t
from functools import cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from .. import contenders
from ..gateway import WSGI
from .peer import Peer

RESULTS = Path(contenders.__file__).parent.parent / "results" / "results.json"


def find_version(peer: Peer) -> str:
    """The version that is installed."""
    return metadata.version(peer.module.DISTRIBUTION)


def find_gateway(peer: Peer) -> str:
    """The kind of server that runs it."""
    return "WSGI" if peer.module.GATEWAY is WSGI else "ASGI"


def find_input(peer: Peer) -> str:
    """What declares the input of a view: the application shows it."""
    return str(peer.module.INPUT)


def find_models(peer: Peer) -> str:
    """What its models are: the application has them."""
    return str(peer.module.MODELS)


def count_distributions(peer: Peer) -> str:
    """The distributions that ``pip install`` brings, the library itself included."""
    extras = getattr(peer.module, "EXTRAS", ())
    found: set[tuple[str, str]] = set()
    _add_requirements(peer.module.DISTRIBUTION, {"", *extras}, found)
    return str(len({name for name, extra in found}))


def _add_requirements(name: str, extras: set[str], found: set[tuple[str, str]]) -> None:
    key = canonicalize_name(name)
    new = {extra for extra in extras if (key, extra) not in found}
    found |= {(key, extra) for extra in new}
    for line in (metadata.requires(name) or ()) if new else ():
        wanted = Requirement(line)
        marker = wanted.marker
        if marker is None or any(marker.evaluate({"extra": each}) for each in new):
            _add_requirements(wanted.name, {"", *wanted.extras}, found)


def find_python(peer: Peer) -> str:
    """The oldest Python that it says to support."""
    wanted = metadata.metadata(peer.module.DISTRIBUTION)["Requires-Python"]
    parts = SpecifierSet(wanted or "")
    return next((part.version for part in parts if part.operator == ">="), "not said")


def find_typed(peer: Peer) -> str:
    """Whether a type checker reads its annotations: it has the marker for that."""
    name = canonicalize_name(peer.module.DISTRIBUTION).replace("-", "_")
    package = files(name)
    return "yes" if package.joinpath("py.typed").is_file() else "no"


@cache
def _results() -> dict[str, t.Any]:
    text = RESULTS.read_text(encoding="utf-8")
    return t.cast("dict[str, t.Any]", json.loads(text)["answers"])


def time_of(scenario: str) -> t.Callable[[Peer], str]:
    """A question: the measured time of a scenario, to that of bare Flask."""

    def find_time(peer: Peer) -> str:
        row = _results()[scenario].get(peer.module.CONTENDER)
        return f"{row['median']:.2f}" if isinstance(row, dict) else "n/a"

    return find_time
