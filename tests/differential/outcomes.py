"""How the functions of a drawn application end, by name."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterator

import flask
from flask import request
from werkzeug.exceptions import Conflict
from werkzeug.routing import RequestRedirect

from .errors import Custom, Derived, Halted, Teapot
from .recording import Recorder, shown_error
from .steps import Step


def bare(value: t.Any) -> Step:
    return lambda recorder: value


def raising(error: type[BaseException], *args: t.Any) -> Step:
    def fail(recorder: Recorder) -> t.NoReturn:
        raise error(*args)

    return fail


def aborting(what: t.Any) -> Step:
    return lambda recorder: flask.abort(what() if callable(what) else what)


def make(*args: t.Any, **kwargs: t.Any) -> flask.Response:
    return flask.current_app.response_class(*args, **kwargs)


def items(recorder: Recorder) -> Iterator[str]:
    try:
        recorder.event("stream", "first")
        yield "a"
        recorder.event("stream", "second")
        yield request.path
    finally:
        recorder.event("stream", "closed")


def failing_items(recorder: Recorder) -> Iterator[str]:
    yield "a"
    raise Custom("in the stream")


def streamed(recorder: Recorder) -> flask.Response:
    return make(recorder.keep(flask.stream_with_context(items(recorder))))


def closing(recorder: Recorder) -> flask.Response:
    response = make("closed", headers={"X-Closing": "1"})
    response.call_on_close(lambda: recorder.event("call_on_close"))
    return response


def tagged(recorder: Recorder) -> flask.Response:
    response = make("tagged")
    response.set_etag("tag")
    return response.make_conditional(request)


def with_cookie(recorder: Recorder) -> flask.Response:
    response = make("cookie")
    response.set_cookie("mine", "1")
    response.vary.add("Accept")
    return response


def wsgi(environ: t.Any, start_response: t.Any) -> list[bytes]:
    start_response("203 Non-Authoritative", [("X-Inner", "1")])
    return [b"from wsgi"]


#: How a view ends where the status is the one that Flask gives by default.
BARE_OUTCOMES: dict[str, Step] = {
    "text": bare("text"),
    "bytes": bare(b"\xff"),
    "dict": bare({"b": 1, "a": "ä"}),
    "list": bare([1, 2]),
    "headers": bare(("text", {"X-A": "1"})),
    "generator": lambda recorder: (part for part in ("a", "b")),
    "wsgi": bare(wsgi),
}

#: How any function may end.
OUTCOMES: dict[str, Step] = {
    "status": bare(("text", 202)),
    "status text": bare(("text", "299 FINE")),
    "no content": bare(("", 204)),
    "all": bare(("text", 200, [("X-A", "1"), ("X-A", "2")])),
    "response": lambda recorder: make("made", status=203),
    "stream": streamed,
    "failing stream": lambda recorder: make(recorder.keep(failing_items(recorder))),
    "closing": closing,
    "etag": tagged,
    "cookie": with_cookie,
    "redirect": lambda recorder: flask.redirect("/plain"),
    "JSON": lambda recorder: (flask.jsonify(a=1), 200),
    "HTTPException": lambda recorder: Conflict("returned"),
    "wrong": bare(17),
    "wrong tuple": bare(("a", 1, {}, 2)),
    "nothing": bare(None),
    "nothing with status": bare((None, 200)),
    "ValueError": raising(ValueError, "value"),
    "KeyError": raising(KeyError, "key"),
    "Custom": raising(Custom, "custom"),
    "Derived": raising(Derived, "derived"),
    "Teapot": raising(Teapot),
    "abort": aborting(404),
    "abort 500": aborting(500),
    "abort response": aborting(lambda: make("aborted", 401)),
    "bad key": lambda recorder: request.form["missing"],
    "RequestRedirect": raising(RequestRedirect, "http://x/there"),
    "SystemExit": raising(SystemExit, 3),
    "KeyboardInterrupt": raising(KeyboardInterrupt),
    "Halted": raising(Halted, "halted"),
    "StopIteration": raising(StopIteration),
}


def reraised(recorder: Recorder, error: t.Any) -> t.Any:
    raise error


def chained(recorder: Recorder, error: t.Any) -> t.Any:
    raise Custom("in the handler") from error


def described(recorder: Recorder, error: t.Any) -> t.Any:
    return {"error": shown_error(error)}, getattr(error, "code", None) or 500


#: How an error handler ends, beside ``OUTCOMES``.
HANDLED: dict[str, Callable[[Recorder, t.Any], t.Any]] = {
    "returned": lambda recorder, error: error,
    "reraised": reraised,
    "chained": chained,
    "described": described,
}


def changed(recorder: Recorder, response: flask.Response) -> t.Any:
    response.headers["X-Changed"] = "1"
    return response


def written(recorder: Recorder, response: flask.Response) -> t.Any:
    if not response.is_streamed and not response.direct_passthrough:
        response.set_data(response.get_data() + b"!")
    return response


#: How an ``after_request`` function ends, beside the exceptions of ``OUTCOMES``.
AFTER: dict[str, Callable[[Recorder, flask.Response], t.Any]] = {
    "same": lambda recorder, response: response,
    "changed": changed,
    "written": written,
    "replaced": lambda recorder, response: make(
        "replaced", status=response.status_code
    ),
    "nothing": lambda recorder, response: None,
}
