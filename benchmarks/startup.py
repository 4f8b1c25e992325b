"""What is paid once: the import, the registration of many routes, their document."""

from __future__ import annotations

import functools
import gc
import json
import subprocess
import sys
import typing as t
from time import process_time

from flask import Flask
from pydantic.json_schema import models_json_schema

from . import shop, timing
from .contender import UNIT, Contender, Unable, Wrong
from .gateway import WSGI, App
from .race import Row, select, settle
from .scenario import Request

ROUTES = 1000
PYDANTIC = "pydantic"

_TIMED_IMPORT = """
from time import process_time
start = process_time()
{}
print(process_time() - start)
"""
_THING = b'{"name":"Chair","price":12.5}'


def import_times(contenders: t.Iterable[Contender], *, rounds: int) -> Row:
    """The time of each contender's import; the unit imports Flask and Pydantic."""
    # The first import, which is not counted, also compiles to bytecode.
    able, row = select(contenders, _time_import)
    tasks = {
        contender.name: functools.partial(_time_import, contender) for contender in able
    }
    row.update(timing.compare(timing.rotate(tasks, rounds), UNIT))
    return row


def _time_import(contender: Contender) -> float:
    if contender.module.IMPORT is None:
        raise Unable("same")
    program = _TIMED_IMPORT.format(contender.module.IMPORT)
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def catalogue_times(contenders: t.Iterable[Contender], *, rounds: int) -> Row:
    """The time to register 1,000 routes with 2,000 models and to answer once.

    A route has a variable in its path, a constrained argument of the query, a body and
    a response. The models are defined before the clock starts, in a process for each
    round, whose garbage collector is on and sees all that a program of its own has.
    """
    able, row = select(contenders, _check_catalogue)
    tasks = {
        contender.name: functools.partial(_time_catalogue, contender)
        for contender in able
    }
    row.update(timing.compare(timing.rotate(tasks, rounds), UNIT))
    return row


def _check_catalogue(contender: Contender) -> None:
    if contender.module.build_catalogue is None:
        raise Unable("none")
    app = _build_catalogue(contender, _define_models(contender, 3))
    refused = Request(
        "/things-2/7", "POST", "page=0", content_type="application/json", body=_THING
    )
    if contender.name != UNIT and contender.gateway.ask(app, refused).status < 400:
        raise Wrong(f"{contender.name} accepts an invalid query")


def _define_models(contender: Contender, routes: int = ROUTES) -> list[t.Any]:
    define = getattr(contender.module, "define_models", shop.define_models)
    return [define(n) for n in range(routes)]


def _time_catalogue(contender: Contender) -> float:
    command = [sys.executable, "-m", __spec__.name, contender.name]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def build_catalogue_once(contender: Contender) -> float:
    """The time to register the routes, in a process that does nothing else."""
    # What is imported by the first route is not counted.
    _check_catalogue(contender)
    models = _define_models(contender)
    gc.collect()
    start = process_time()
    _build_catalogue(contender, models)
    return process_time() - start


def _build_catalogue(contender: Contender, models: list[t.Any]) -> App:
    app = contender.module.build_catalogue(models)
    path = f"/things-{len(models) - 1}/7"
    request = Request(path, "POST", content_type="application/json", body=_THING)
    if contender.gateway.ask(app, request).status not in (200, 201):
        raise RuntimeError(f"{contender.name} does not answer at {path}")
    return app


def document_times(contenders: t.Iterable[Contender], *, rounds: int) -> Row:
    """The time of the first document over 1,000 routes with 2,000 models.

    The unit is Pydantic alone: the schemas of these models in one call, as JSON.
    """
    able, row = select(contenders, _check_document)
    tasks: dict[str, timing.Task] = {PYDANTIC: _time_schemas}
    for contender in able:
        tasks[contender.name] = functools.partial(_time_document, contender)
    settle()
    row.update(timing.compare(timing.rotate(tasks, rounds), PYDANTIC))
    return row


def _check_document(contender: Contender) -> None:
    if contender.module.DOCUMENT is None:
        raise Unable("none")
    models = _define_models(contender, 3)
    document = _fetch_document(contender, _build_catalogue(contender, models))
    if len(json.loads(document)["paths"]) < len(models):
        raise RuntimeError(f"{contender.name} does not describe every path")


def _fetch_document(contender: Contender, app: App) -> bytes:
    return contender.fetch(app, contender.module.DOCUMENT)


def _time_schemas() -> float:
    models: list[t.Any] = []
    for n in range(ROUTES):
        inbound, outbound = shop.define_models(n)
        models += [(inbound, "validation"), (outbound, "serialization")]
    gc.collect()
    start = process_time()
    _, definitions = models_json_schema(models)
    json.dumps(definitions)
    return process_time() - start


def _time_document(contender: Contender) -> float:
    app = _build_catalogue(contender, _define_models(contender))
    gc.collect()
    start = process_time()
    _fetch_document(contender, app)
    return process_time() - start


def cached_document_times(
    contenders: t.Iterable[Contender], *, rounds: int, slice_seconds: float
) -> Row:
    """The time of every later document; the unit returns the same bytes as a constant.

    Each contender has a unit of its own, for its document has a length of its own.
    """
    able, row = select(contenders, _check_document)
    for contender in able:
        app = _build_catalogue(contender, _define_models(contender))
        path = contender.module.DOCUMENT
        constant = _constant_app(path, _fetch_document(contender, app))
        served = functools.partial(contender.gateway.time, app, Request(path))
        unit = functools.partial(WSGI.time, constant, Request(path))
        tasks = {
            UNIT: timing.calibrate(unit, slice_seconds),
            contender.name: timing.calibrate(served, slice_seconds),
        }
        settle()
        row.update(timing.compare(timing.rotate(tasks, rounds), UNIT))
    return row


def _constant_app(path: str, document: bytes) -> Flask:
    app = Flask("constant")
    app.add_url_rule(path, "constant", lambda: document)
    return app


if __name__ == "__main__":
    print(build_catalogue_once(Contender(sys.argv[1])))
