"""Runs a description on one variant: makes the application, sends all its requests."""

from __future__ import annotations

import contextvars
import typing as t
from collections.abc import Callable
from contextlib import ExitStack

import flask
import flask.signals

from .building import MIDDLEWARE, Variant, make_application, receiver_of
from .description import Application, Receiver
from .patches import METHODS, PLACES, patch_instance, patched
from .recording import Recorder, shown_error
from .sending import Record, Sender

SIGNALS = (
    *("template_rendered", "before_render_template", "request_started"),
    *("request_finished", "request_tearing_down", "got_request_exception"),
    *("appcontext_tearing_down", "appcontext_pushed", "appcontext_popped"),
    "message_flashed",
)


class Run:
    """An application in use: what is undone in its end, and what changes on the way."""

    def __init__(self, recorder: Recorder, app: flask.Flask, stack: ExitStack) -> None:
        self.recorder = recorder
        self.app = app
        self.stack = stack

    def connect(self, receiver: Receiver) -> None:
        signal = getattr(flask.signals, receiver.signal)
        function = receiver_of(self.recorder, self.app, receiver)
        signal.connect(function, sender=self.app, weak=False)
        # For one sender alone, the signal would keep it among its receivers.
        self.stack.callback(signal.disconnect, function)

    def patch_class(self, name: str) -> None:
        if name == "wsgi_app" and name in vars(self.app):
            # A middleware holds the method of the class from before.
            return
        owner = next(cls for cls in flask.Flask.__mro__ if name in vars(cls))
        self.stack.enter_context(patched(self.recorder, (owner,), name))

    def patch_place(self, name: str) -> None:
        self.stack.enter_context(patched(self.recorder, *PLACES[name]))


def add_rule(run: Run, name: str) -> None:
    """Add a rule to the map, as some extensions do."""
    rule = run.app.url_rule_class("/late/<x>", endpoint="late", methods=["GET"])
    run.app.url_map.add(rule)
    run.app.view_functions["late"] = lambda x: f"late {x}"


def replace_view(run: Run, name: str) -> None:
    for endpoint in sorted(run.app.view_functions)[:2]:
        if endpoint != "static":
            run.app.view_functions[endpoint] = lambda **values: ("replaced", 200)


def add_hook(run: Run, name: str) -> None:
    def before() -> None:
        run.recorder.event("late before_request")

    def after(response: t.Any) -> t.Any:
        run.recorder.event("late after_request")
        return response

    run.app.before_request_funcs.setdefault(None, []).append(before)
    run.app.after_request_funcs.setdefault(None, []).append(after)


def remove_hooks(run: Run, name: str) -> None:
    for kind in ("before_request", "after_request", "teardown_request"):
        getattr(run.app, f"{kind}_funcs").clear()
    run.app.teardown_appcontext_funcs.clear()


def add_teardown(run: Run, name: str) -> None:
    def teardown(error: BaseException | None) -> None:
        run.recorder.event("late teardown", shown_error(error))

    run.app.teardown_request_funcs.setdefault(None, []).append(teardown)
    run.app.teardown_appcontext_funcs.append(teardown)


def rotate_key(run: Run, name: str) -> None:
    run.app.config["SECRET_KEY_FALLBACKS"] = [run.app.secret_key or "key-c"]
    run.app.secret_key = "key-b"


def append_fallback(run: Run, name: str) -> None:
    """Change the list of old keys in its place."""
    keys = run.app.config.get("SECRET_KEY_FALLBACKS")
    if isinstance(keys, list):
        keys.append("key-c")


def unpatch(run: Run, name: str) -> None:
    for method in METHODS:
        vars(run.app).pop(method, None)


def wrap(run: Run, name: str) -> None:
    run.app.wsgi_app = MIDDLEWARE["record"](run.recorder, run.app.wsgi_app)  # type: ignore[method-assign]


def set_config(key: str, value: t.Any) -> Callable[[Run, str], None]:
    return lambda run, name: run.app.config.update({key: value})


#: What may change between two requests.
CHANGES: dict[str, Callable[[Run, str], None]] = {
    "rule": add_rule,
    "view": replace_view,
    "hook": add_hook,
    "no hooks": remove_hooks,
    "teardown": add_teardown,
    "rotate": rotate_key,
    "fallback": append_fallback,
    "no key": set_config("SECRET_KEY", None),
    "key": set_config("SECRET_KEY", "key-b"),
    "server name": set_config("SERVER_NAME", "example.com"),
    "testing": set_config("TESTING", True),
    "debug": set_config("DEBUG", True),
    "no trusted host": set_config("TRUSTED_HOSTS", ["other.example"]),
    "cookie": set_config("SESSION_COOKIE_NAME", "renamed"),
    "instance": lambda run, name: patch_instance(run.recorder, run.app, name),
    "class": lambda run, name: run.patch_class(name),
    "place": lambda run, name: run.patch_place(name),
    "signal": lambda run, name: run.connect(Receiver(name)),
    "unpatch": unpatch,
    "middleware": wrap,
}


def run_requests(
    plan: Application, variant: Variant, recorder: Recorder
) -> list[Record]:
    with recorder.logging(), ExitStack() as stack:
        app = make_application(recorder, plan, variant)
        run = Run(recorder, app, stack)
        for receiver in plan.receivers:
            run.connect(receiver)
        for item in plan.overrides:
            if item.where == "class":
                run.patch_class(item.name)
            elif item.where == "place":
                run.patch_place(item.name)
        sender, records = Sender(app, recorder), []
        for number, request in enumerate(plan.requests):
            for change in plan.changes:
                if change.before == number:
                    recorder.hit("change", change.kind)
                    CHANGES[change.kind](run, change.name)
            records.append(sender.send(request))
        return records


def records_of(
    plan: Application, variant: Variant, *, recorder: Recorder | None = None
) -> list[Record]:
    """The same, or how the application could not be made; no context is left behind."""
    recorder = Recorder(plan.looks) if recorder is None else recorder
    run = contextvars.copy_context().run
    try:
        return run(run_requests, plan, variant, recorder)
    except Exception as error:
        return [{"made": shown_error(error)}]
