"""The tables of the page: which questions stand in which one."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from . import application, description, inbound, outbound, package
from .peer import Peer


@dataclass(frozen=True)
class Question:
    """A column of a table.

    :param head: its title.
    :param find: the cell of a library.
    :param varies: whether it depends on what is installed, and so on the day.
    """

    head: str
    find: t.Callable[[Peer], str]
    varies: bool = False


TABLES: t.Final = (
    (
        Question("Version", package.find_version, varies=True),
        Question("Server", package.find_gateway),
        Question("Input is", package.find_input),
        Question("Models", package.find_models),
    ),
    (
        Question("Reads", inbound.find_locations),
        Question("Reports", inbound.count_failures),
        Question("Status", inbound.find_status),
        Question("Echoes", inbound.find_echoed),
    ),
    (
        Question("Drops", outbound.find_filtered),
        Question("Checks", outbound.find_validated),
        Question("404", outbound.find_statuses),
        Question("Events", outbound.find_events),
    ),
    (
        Question("OpenAPI", description.find_version),
        Question("Valid", description.find_validity),
        Question("Page from", description.find_page),
    ),
    (
        Question("Dependencies", application.find_dependencies),
        Question("Security", application.find_security),
        Question("Mistake found", application.find_mistake),
    ),
    (
        Question("Plain Flask", application.find_flask),
        Question("Classes", application.find_class),
        Question("Async", application.find_async),
    ),
    (
        Question("Four values", package.time_of("scalars")),
        Question("JSON", package.time_of("json")),
        Question("200 rows", package.time_of("dicts")),
        Question("Refused", package.time_of("refused")),
    ),
    (
        Question("Installs", package.count_distributions, varies=True),
        Question("Python", package.find_python, varies=True),
        Question("Typed", package.find_typed, varies=True),
    ),
)
