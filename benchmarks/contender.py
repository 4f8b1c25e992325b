"""A contender: one module of ``benchmarks.contenders``, found, built and verified."""

from __future__ import annotations

import importlib
import pkgutil
import typing as t
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata
from time import process_time_ns

from flask import Flask

from . import contenders, flask_shop
from .gateway import App, Clock, Gateway
from .scenario import Request, Scenario

UNIT = "bare"
OURS = "ours"

# They read nothing and answer with constants: no request is refused.
CONSTANT = (UNIT, "bare_on_ours")


class Unable(Exception):
    """A contender that cannot do what is asked of it, with the reason in one word."""


class Wrong(Exception):
    """A contender that answered, but not what was expected."""


@dataclass
class Contender:
    """A module of ``benchmarks.contenders`` and the applications it built."""

    name: str
    _apps: dict[tuple[str, int], App] = field(default_factory=dict)

    @cached_property
    def module(self) -> t.Any:
        """The module; :exc:`Unable` when what it needs is not installed."""
        try:
            return importlib.import_module(f"{contenders.__name__}.{self.name}")
        except ImportError as error:
            raise Unable("absent") from error

    @property
    def title(self) -> str:
        """The name in the tables."""
        return t.cast(str, self.module.TITLE)

    @property
    def gateway(self) -> Gateway:
        """How requests reach it."""
        return t.cast(Gateway, self.module.GATEWAY)

    @property
    def versions(self) -> dict[str, str]:
        """The distributions it is made of, ``{"Flask": "3.1.0"}``."""
        return {name: _version(name) for name in self.module.DISTRIBUTIONS}

    def app(self, scenario: Scenario) -> App:
        """The shop, or the application of so many equal routes, built once."""
        key = scenario.build, scenario.sections
        if key not in self._apps:
            self._apps[key] = self._build(scenario)
        return self._apps[key]

    def _build(self, scenario: Scenario) -> App:
        if scenario.sections:
            return self.module.build_sections(scenario.sections)
        build = getattr(self.module, scenario.build, None)
        if build is not None:
            return build()
        app = self.module.build()
        if not isinstance(app, Flask):
            raise Unable("none")
        return flask_shop.CHANGES[scenario.build](app)

    def check(self, scenario: Scenario) -> None:
        """Ask and compare, and see that what is invalid is refused.

        :raises Unable: if the module says that it cannot do this scenario.
        :raises Wrong: if an answer is not the expected one.
        """
        if scenario.name in self.module.UNABLE:
            raise Unable(self.module.UNABLE[scenario.name])
        self._check_answer(scenario)
        if self.name not in CONSTANT:
            self._check_refusals(scenario)
        # What a request has left open is seen by the next one.
        self._check_answer(scenario)

    def _check_answer(self, scenario: Scenario) -> None:
        answer = self.gateway.ask(self.app(scenario), scenario.request)
        if not scenario.expected.is_met_by(answer):
            message = f"{self.name} answers {scenario.name} with {answer.status}:"
            raise Wrong(f"{message} {answer.body[:500]!r}")

    def _check_refusals(self, scenario: Scenario) -> None:
        for request in scenario.invalid:
            answer = self.gateway.ask(self.app(scenario), request)
            if not 400 <= answer.status < 500:
                message = f"{self.name} accepts an invalid {scenario.name}"
                raise Wrong(f"{message}: {request.path}?{request.query}")

    def time(
        self, scenario: Scenario, count: int, *, clock: Clock = process_time_ns
    ) -> int:
        """The nanoseconds of the processor that this many requests take."""
        app = self.app(scenario)
        return self.gateway.time(app, scenario.request, count, clock=clock)

    def fetch(self, app: App, path: str) -> bytes:
        """The body of a GET, which must succeed."""
        answer = self.gateway.ask(app, Request(path))
        if answer.status != 200:
            raise Wrong(f"{self.name} answers {path} with {answer.status}")
        return answer.body


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "source"


def find_contenders() -> list[Contender]:
    """Every contender: the unit and ours first, then the others by name."""
    names = {module.name for module in pkgutil.iter_modules(contenders.__path__)}
    first = [*CONSTANT, OURS, "ours_plain_cycle", "handwritten"]
    return [Contender(name) for name in first + sorted(names.difference(first))]
