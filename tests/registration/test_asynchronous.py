"""Asynchronous views where the package that Flask runs them with is not installed."""

from __future__ import annotations

import json
import subprocess
import sys
import typing as t
from collections.abc import Callable, Iterator

import pytest

#: What all programs begin with. Each is run by a process that is forked afterwards.
HEAD = """
import asyncio, functools, inspect, json, os, sys, traceback
sys.modules["asgiref"] = None
import flask
from flask.views import MethodView, View
from flask_signature import Blueprint, Flask, SignatureError

def run(function):
    return lambda *args, **kwargs: asyncio.run(function(*args, **kwargs))

async def show(n: int = 1) -> str:
    return f"{n}"

class Show(MethodView):
    async def get(self, n: int = 1) -> str:
        return f"{n}"

class Plain(View):
    async def dispatch_request(self, n: int = 1) -> str:
        return f"{n}"

class Own(MethodView):
    def dispatch_request(self, **kwargs):
        return asyncio.run(self.get(**kwargs))
    async def get(self) -> str:
        return flask.request.args["n"]

def serve(view, app):
    bp = Blueprint("bp", __name__)
    bp.add_url_rule("/", "show", view)
    app.register_blueprint(bp)
    print(app.test_client().get("/?n=2").text)

def run_and_exit(source):
    try:
        exec(compile(source, "<string>", "exec"), globals())
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    sys.stdout.flush()
    os._exit(0)

for source in sys.stdin:
    printed, writing = os.pipe()
    if os.fork() == 0:
        os.dup2(writing, 1)
        run_and_exit(json.loads(source))
    os.close(writing)
    with open(printed) as lines:
        print(json.dumps(lines.read()), flush=True)
    os.wait()
"""


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[[str], str]]:
    """Tells what a program prints in which asgiref can't be imported."""
    command = [sys.executable, "-W", "error", "-c", HEAD]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:

        def ask(source: str) -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{json.dumps(source)}\n")
            process.stdin.flush()
            return t.cast(str, json.loads(process.stdout.readline())).strip()

        yield ask


REFUSED = {
    "function": ("serve(show, Flask('shop'))", "show()"),
    "application": ("Flask('shop').get('/')(show)", "show()"),
    "plain-flask": ("serve(show, flask.Flask('shop'))", "show()"),
    "without-arguments": ("async def ping(): ...\nserve(ping, Flask('a'))", "ping()"),
    "method": ("serve(Show.as_view('show'), Flask('shop'))", "Show.get()"),
    "view": (
        "serve(Plain.as_view('show'), flask.Flask('shop'))",
        "Plain.dispatch_request()",
    ),
}


@pytest.mark.parametrize(("source", "view"), REFUSED.values(), ids=REFUSED)
def test_an_asynchronous_view_is_refused(source, view, run):
    said = run(source).splitlines()[-1]

    assert said.startswith(
        f"flask_signature.exceptions.SignatureError: GET /: {view} is asynchronous, but"
        " asgiref, with which Flask runs such views, is not installed. Run 'pip install"
        " \"flask-signature[async]\"', or write the view with 'def'. (<string>, line "
    )


def test_an_asynchronous_function_in_the_place_of_a_dependency_is_refused(run):
    said = run("""
from flask_signature import Depends

def get_name():
    return "real"

async def get_later():
    return "later"

def get_by_another(name=Depends(get_later)):
    return name

app = Flask("shop")

@app.get("/")
def name(name=Depends(get_name)) -> str:
    return name

for fake in get_later, get_by_another:
    try:
        app.dependency_overrides[get_name] = fake
    except SignatureError as error:
        print(error)
print([*app.dependency_overrides], app.test_client().get("/").text)
app.dependency_overrides[get_name] = lambda: "fake"
print(app.test_client().get("/").text)
""")

    message = (
        "name() has a dependency that is asynchronous in dependency_overrides, but"
        " asgiref, with which Flask runs such functions, is not installed. Run 'pip"
        " install \"flask-signature[async]\"', or write it with 'def'."
    )
    assert said.splitlines() == [message, message, "[] real", "fake"]


APPLICATIONS = {
    "class": "class App(Base):\n    def async_to_sync(self, f): return run(f)",
    "ensure": "class App(Base):\n    def ensure_sync(self, f):\n"
    "        return run(f) if inspect.iscoroutinefunction(f) else f",
    "instance": "def App(name):\n    app = Base(name)\n"
    "    app.async_to_sync = run\n    return app",
    "class-of-flask": "App = Base\nflask.Flask.async_to_sync = lambda self, f: run(f)",
}


@pytest.mark.parametrize("base", ["Flask", "flask.Flask"])
@pytest.mark.parametrize("source", APPLICATIONS.values(), ids=APPLICATIONS)
def test_an_application_may_run_asynchronous_views_itself(source, base, run):
    views = ("show", "Show.as_view('show')", "Plain.as_view('show')")
    calls = "\n".join(f"serve({view}, App('shop'))" for view in views)

    assert run(f"Base = {base}\n{source}\n{calls}").split() == ["2", "2", "2"]


@pytest.mark.parametrize(
    "view", ["functools.wraps(show)(run(show))", "Own.as_view('show')"]
)
def test_a_view_that_runs_its_function_itself_is_not_asynchronous(view, run):
    assert run(f"serve({view}, Flask('shop'))") == "2"


def test_an_asynchronous_generator_needs_no_asgiref(run):
    assert (
        run("""
from collections.abc import AsyncIterator

async def show(n: int) -> AsyncIterator[str]:
    await asyncio.sleep(0)
    yield f"{n}"

serve(show, Flask('shop'))
""")
        == "2"
    )
