"""Makes an application of a description, with any class of applications."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterable
from pathlib import Path

import flask

import flask_signature

from .cookies import timeless_headers
from .customs import CLASSES, CONVERTERS
from .description import (
    Application,
    Blueprint,
    ErrorHandler,
    Function,
    Hook,
    Receiver,
    Rule,
)
from .errors import ERRORS
from .outcomes import AFTER, BARE_OUTCOMES, HANDLED, OUTCOMES
from .patches import override, patch_instance
from .recording import LOGGER, Recorder, shown_error
from .steps import STEPS
from .typed import TYPED_OPTIONS, make_typed

STATIC = Path(__file__).parents[1] / "migration" / "static"


class Variant(t.NamedTuple):
    """The classes that a description is made of."""

    name: str
    app: type[flask.Flask]
    blueprint: type[flask.Blueprint]


def run_steps(recorder: Recorder, function: Function, *details: t.Any) -> None:
    recorder.hit("function", function.label.rpartition(" ")[0])
    recorder.hit("asynchronous", function.is_async)
    recorder.event(function.label, *details)
    for step in function.steps:
        with recorder.deeper() as is_allowed:
            if is_allowed:
                recorder.hit("step", step)
                STEPS[step](recorder)


def colored(function: Function, run: Callable[..., t.Any]) -> Callable[..., t.Any]:
    """A function or a coroutine function, as it is described."""

    async def asynchronous(*args: t.Any) -> t.Any:
        return run(*args)

    return asynchronous if function.is_async else lambda *args: run(*args)


def end(recorder: Recorder, outcome: str) -> t.Any:
    recorder.hit("outcome", outcome)
    found = OUTCOMES.get(outcome) or BARE_OUTCOMES.get(outcome)
    return found(recorder) if found else None


def make_view(recorder: Recorder, rule: Rule) -> Callable[..., t.Any]:
    function = rule.function

    def view(**values: t.Any) -> t.Any:
        recorder.hit("rule", rule.rule)
        run_steps(recorder, function, sorted(values.items()))
        return end(recorder, function.outcome)

    async def asynchronous(**values: t.Any) -> t.Any:
        return view(**values)

    return asynchronous if function.is_async else view


def make_before(recorder: Recorder, function: Function) -> Callable[..., t.Any]:
    def run(*args: t.Any) -> t.Any:
        run_steps(recorder, function)
        return end(recorder, function.outcome)

    return colored(function, run)


def make_after(recorder: Recorder, function: Function) -> Callable[..., t.Any]:
    def run(response: flask.Response) -> t.Any:
        sent = timeless_headers(response.headers)
        run_steps(recorder, function, response.status, sent)
        change = AFTER.get(function.outcome)
        if change is None:
            return end(recorder, function.outcome)
        recorder.hit("after", function.outcome)
        return change(recorder, response)

    return colored(function, run)


def make_teardown(recorder: Recorder, function: Function) -> Callable[..., t.Any]:
    def run(error: BaseException | None) -> t.Any:
        run_steps(recorder, function, shown_error(error))
        return end(recorder, function.outcome)

    return colored(function, run)


def make_preprocessor(recorder: Recorder, function: Function) -> Callable[..., t.Any]:
    def run(endpoint: str | None, values: dict[str, t.Any] | None) -> None:
        run_steps(recorder, function, endpoint, values)
        if function.outcome == "pop" and values:
            flask.g.lang = values.pop("lang", None)
        else:
            end(recorder, function.outcome)

    return run


def make_defaults(recorder: Recorder, function: Function) -> Callable[..., t.Any]:
    def run(endpoint: str, values: dict[str, t.Any]) -> None:
        recorder.hit("function", function.label.rpartition(" ")[0])
        recorder.plain_event(function.label, endpoint, sorted(values.items()))
        if function.outcome == "set":
            values.setdefault("lang", "en")

    return run


def make_handler(recorder: Recorder, function: Function) -> Callable[..., t.Any]:
    def run(error: Exception) -> t.Any:
        run_steps(recorder, function, shown_error(error))
        handle = HANDLED.get(function.outcome)
        if handle is None:
            return end(recorder, function.outcome)
        recorder.hit("handled", function.outcome)
        return handle(recorder, error)

    return colored(function, run)


MAKERS: dict[str, Callable[[Recorder, Function], Callable[..., t.Any]]] = {
    **dict.fromkeys(("before_request", "before_app_request"), make_before),
    **dict.fromkeys(("after_request", "after_app_request"), make_after),
    **dict.fromkeys(("teardown_request", "teardown_appcontext"), make_teardown),
    "teardown_app_request": make_teardown,
    "url_value_preprocessor": make_preprocessor,
    "app_url_value_preprocessor": make_preprocessor,
    **dict.fromkeys(("url_defaults", "app_url_defaults"), make_defaults),
}


def add_hooks(recorder: Recorder, owner: t.Any, hooks: Iterable[Hook]) -> None:
    for hook in hooks:
        getattr(owner, hook.kind)(MAKERS[hook.kind](recorder, hook.function))


def add_handlers(
    recorder: Recorder, owner: t.Any, handlers: Iterable[ErrorHandler]
) -> None:
    for handler in handlers:
        key = ERRORS[handler.key] if isinstance(handler.key, str) else handler.key
        function = make_handler(recorder, handler.function)
        if handler.is_for_app:
            owner.app_errorhandler(key)(function)
        else:
            owner.register_error_handler(key, function)


def redirect_to(adapter: t.Any, **values: t.Any) -> str:
    """Where a rule redirects to, for ``redirect_to``."""
    return f"/plain?{sorted(values)}"


def add_rules(recorder: Recorder, owner: t.Any, rules: Iterable[Rule]) -> None:
    views: dict[str, Callable[..., t.Any]] = {}
    for rule in rules:
        options = {**rule.options}
        if options.get("redirect_to") == "function":
            options["redirect_to"] = redirect_to
        # Flask takes a second rule of an endpoint if the function is the same.
        view = views.setdefault(rule.endpoint, make_view(recorder, rule))
        owner.add_url_rule(rule.rule, rule.endpoint, view, **options)


def make_blueprint(recorder: Recorder, plan: Blueprint, variant: Variant) -> t.Any:
    blueprint = variant.blueprint(plan.name, __name__, **plan.options)
    add_hooks(recorder, blueprint, plan.hooks)
    add_handlers(recorder, blueprint, plan.handlers)
    add_rules(recorder, blueprint, plan.rules)
    for child in plan.children:
        blueprint.register_blueprint(make_blueprint(recorder, child, variant))
    return blueprint


def receiver_of(
    recorder: Recorder, app: flask.Flask, receiver: Receiver
) -> Callable[..., t.Any]:
    """A function for a signal; it must be kept as long as it is connected."""

    def receive(sender: t.Any, **values: t.Any) -> None:
        found = values.get("exc", values.get("exception"))
        recorder.hit("signal", receiver.signal)
        names = sorted(key for key in values if key != "_async_wrapper")
        recorder.event(
            f"signal {receiver.signal}",
            sender is app,
            names,
            shown_error(found) if found else None,
        )
        end(recorder, receiver.outcome)

    return receive


class Recording:
    """A middleware inside of an application, which records the call."""

    def __init__(self, recorder: Recorder, wrapped: Callable[..., t.Any]) -> None:
        self.recorder = recorder
        self.wrapped = wrapped

    def __call__(self, environ: t.Any, start_response: t.Any) -> t.Any:
        def started(status: str, headers: t.Any, *rest: t.Any) -> t.Any:
            sent = timeless_headers(headers)
            self.recorder.event("start_response", status, sent, rest)
            return start_response(status, headers, *rest)

        self.recorder.hit("middleware", type(self).__name__)
        self.recorder.event("middleware", environ.get("PATH_INFO"))
        return self.wrapped(environ, started)


class Shifting(Recording):
    def __call__(self, environ: t.Any, start_response: t.Any) -> t.Any:
        environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + "/shifted"
        return super().__call__(environ, start_response)


MIDDLEWARE: dict[str, type[Recording]] = {"record": Recording, "shift": Shifting}


def application_class(
    recorder: Recorder, plan: Application, base: type[flask.Flask]
) -> type[flask.Flask]:
    """The class of an application, a subclass only where something is overridden."""
    names = [item.name for item in plan.overrides if item.where == "subclass"]
    members: dict[str, t.Any] = {}
    for name in plan.classes:
        members |= CLASSES[name]
    members |= {name: override(recorder, base, name) for name in names}
    return type("Overriding", (base,), members) if members else base


def make_application(
    recorder: Recorder, plan: Application, variant: Variant
) -> flask.Flask:
    cls = application_class(recorder, plan, variant.app)
    options = dict(plan.options)
    if plan.is_plain and issubclass(cls, flask_signature.Flask):
        options["status_code"] = 200
    app = cls(LOGGER, root_path=str(STATIC.parent), **options)
    app.config.update(plan.config)
    app.url_map.converters.update(CONVERTERS)
    add_hooks(recorder, app, plan.hooks)
    add_handlers(recorder, app, plan.handlers)
    add_rules(recorder, app, plan.rules)
    for name in plan.typed:
        rule, options = f"/typed/{name}/<int:n>", TYPED_OPTIONS.get(name, {})
        app.add_url_rule(rule, f"t{name}", make_typed(recorder)[name], **options)
    for blueprint in plan.blueprints:
        app.register_blueprint(make_blueprint(recorder, blueprint, variant))
    if plan.typed and plan.is_initialized:
        t.cast("flask_signature.Flask", app).init_app()
    for item in plan.overrides:
        if item.where == "instance":
            patch_instance(recorder, app, item.name)
    for name in plan.middleware:
        app.wsgi_app = MIDDLEWARE[name](recorder, app.wsgi_app)  # type: ignore[method-assign]
    return app
