"""Draws applications: the description of each, from a seed."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence

from .customs import CLASSES
from .description import (
    Application,
    Blueprint,
    Change,
    ErrorHandler,
    Function,
    Hook,
    Options,
    Override,
    Receiver,
    Rule,
)
from .drawing_requests import Dice, Route, draw_request
from .errors import ERRORS
from .outcomes import AFTER, BARE_OUTCOMES, HANDLED, OUTCOMES
from .patches import METHODS, PLACES, SELDOM_CALLED
from .paths import HOSTS, PATHS, REDIRECTS, SUBDOMAINS, WITH_OPTIONS
from .paths import METHODS as RULE_METHODS
from .recording import LOOKS
from .running import CHANGES, SIGNALS
from .steps import STEPS
from .typed import TYPED, TYPED_OPTIONS

APP_KINDS = (
    *("before_request", "after_request", "teardown_request", "teardown_appcontext"),
    *("url_value_preprocessor", "url_defaults"),
)
BLUEPRINT_KINDS = (
    *(kind for kind in APP_KINDS if kind != "teardown_appcontext"),
    *("before_app_request", "after_app_request", "teardown_app_request"),
    *("app_url_value_preprocessor", "app_url_defaults"),
)

#: What functions do that run while a request is torn down.
SAFE_STEPS = ("session read", "g", "log", "session count", "nested context")
FAILURES = ("ValueError", "Custom", "Teapot", "abort", "Halted", "bad key")

#: Outcomes of POST, PUT and DELETE that differ by contract: without a status, and 204,
#: which has no content type.
UNNAMED = ("nothing", "wrong", "no content")


#: Values of the configuration, drawn with the chance of the application.
CONFIG: dict[str, Sequence[t.Any]] = {
    "TESTING": (True,),
    "DEBUG": (True,),
    "PROPAGATE_EXCEPTIONS": (True, False),
    "TRAP_HTTP_EXCEPTIONS": (True,),
    "TRAP_BAD_REQUEST_ERRORS": (True, False),
    "SERVER_NAME": ("localhost", "example.com", "example.com:8080", "EXAMPLE.com", ""),
    "TRUSTED_HOSTS": (["localhost"], [".example.com", "127.0.0.1"], []),
    "APPLICATION_ROOT": ("/prefix", "/root/"),
    "PREFERRED_URL_SCHEME": ("https",),
    "SECRET_KEY_FALLBACKS": (["key-b"], ["key-b", "key-c"], []),
    "SESSION_COOKIE_NAME": ("named",),
    "SESSION_COOKIE_DOMAIN": ("example.com", "localhost", False),
    "SESSION_COOKIE_PATH": ("/plain",),
    "SESSION_COOKIE_SECURE": (True,),
    "SESSION_COOKIE_HTTPONLY": (False,),
    "SESSION_COOKIE_SAMESITE": ("Lax", "Strict"),
    "SESSION_COOKIE_PARTITIONED": (True,),
    "SESSION_REFRESH_EACH_REQUEST": (False,),
    "PERMANENT_SESSION_LIFETIME": (60,),
    "MAX_CONTENT_LENGTH": (10,),
    "MAX_FORM_MEMORY_SIZE": (5,),
    "PROVIDE_AUTOMATIC_OPTIONS": (False,),
    "SEND_FILE_MAX_AGE_DEFAULT": (10,),
}


class Drawing:
    """One draw: its dice, and how much of each thing there is."""

    def __init__(self, seed: int) -> None:
        self.dice = Dice(seed)
        # Most faults need little beside them; some need much.
        self.chance = self.dice.choice((0.03, 0.08, 0.2, 0.25))
        self.odd = self.dice.choice((0.0, 0.05, 0.15, 0.4))
        self.is_plain = self.dice.maybe(0.5)
        self.count = 0

    def maybe(self, more: float = 1) -> bool:
        return self.dice.maybe(min(self.chance * more, 0.9))

    def function(
        self, label: str, outcomes: Sequence[str], *, steps: Sequence[str] = (*STEPS,)
    ) -> Function:
        """A function with a label of its own."""
        self.count += 1
        if not self.dice.maybe(0.1):
            steps = [step for step in steps if "raises" not in step]
        return Function(
            f"{label} {self.count}",
            self.dice.some(steps, most=3, chance=0.1 + self.chance),
            self.dice.choice(outcomes),
            self.dice.maybe(0.06),
        )

    def hook(self, kind: str) -> Hook:
        """A function of a kind, which mostly changes nothing."""
        failing = self.maybe(0.2)
        outcomes: Sequence[str] = FAILURES if failing else ("none",)
        steps: Sequence[str] = (*STEPS,)
        if "after" in kind:
            outcomes = FAILURES if failing else (*AFTER, "same", "changed", "changed")
        elif "before" in kind and self.maybe(0.3):
            outcomes = (*OUTCOMES, *BARE_OUTCOMES)
        elif "teardown" in kind:
            steps = SAFE_STEPS
        elif "preprocessor" in kind:
            outcomes = FAILURES if self.maybe(0.2) else ("pop", "none")
        elif "url_defaults" in kind:
            outcomes, steps = ("set", "none"), ()
        return Hook(kind, self.function(kind, outcomes, steps=steps))

    def hooks(self, kinds: Sequence[str]) -> tuple[Hook, ...]:
        return tuple(
            self.hook(kind) for kind in (*kinds, *kinds[:3]) if self.maybe(0.9)
        )

    def handlers(self, *, of_blueprint: bool = False) -> tuple[ErrorHandler, ...]:
        keys: Sequence[int | str] = (404, 405, 500, 418, 400, 409, *ERRORS)
        usual = ("described", "described", "response", "status")
        others = (*HANDLED, *FAILURES, "SystemExit")
        outcomes = others if self.dice.maybe(0.3) else usual
        found = self.dice.some(keys, most=5, chance=self.chance)
        return tuple(
            ErrorHandler(
                key,
                self.function(f"handler {key}", outcomes),
                of_blueprint and self.dice.maybe(0.3),
            )
            for key in found
        )

    def rule(self, options: Options) -> Rule:
        """A route, where ``options`` says how hosts are matched."""
        rule, given = self.dice.choice([*PATHS]), {}
        if self.maybe(0.6):
            rule = self.dice.choice([*WITH_OPTIONS])
            given = {**WITH_OPTIONS[rule]}
        elif self.maybe(0.3):
            rule, given["redirect_to"] = self.dice.choice(REDIRECTS)
        drawn = self.dice.choice(RULE_METHODS) if self.dice.maybe(0.4) else "GET"
        methods = drawn.split()
        if "websocket" in given:
            methods = ["GET"]
        given["methods"] = methods
        if self.maybe(0.3):
            given["provide_automatic_options"] = self.dice.maybe(0.5)
        if options.get("host_matching") and self.dice.maybe(0.7):
            given["host"] = self.dice.choice(HOSTS)
        elif options.get("subdomain_matching") and self.dice.maybe(0.5):
            given["subdomain"] = self.dice.choice(SUBDOMAINS)
        usual, all_of_them = [*BARE_OUTCOMES], [*OUTCOMES]
        if not self.is_plain and not {"POST", "PUT", "DELETE"}.isdisjoint(methods):
            # Their default status is ours, and that of DELETE has no content to refuse.
            usual = ["status", "all", "response"]
            all_of_them = [name for name in OUTCOMES if name not in UNNAMED]
        outcomes = all_of_them if self.dice.maybe(0.3) else usual
        function = self.function("view", outcomes)
        return Rule(rule, f"e{self.count}", function, given)

    def rules(self, options: Options, *, most: int) -> tuple[Rule, ...]:
        found = [self.rule(options) for _ in range(self.dice.randint(1, most))]
        if self.maybe(0.4):
            # The pair that redirects from the default's own URL.
            function = self.function("view", ["dict"])
            defaults = {"defaults": {"page": 1}}
            found.append(Rule("/pages/", f"p{self.count}", function, defaults))
            found.append(Rule("/pages/<int:page>", f"p{self.count}", function))
        return tuple(found)

    def blueprint(self, options: Options, *, depth: int = 1) -> Blueprint:
        given: Options = {}
        if self.dice.maybe(0.7):
            prefixes = ("/bp", "/<lang>", "/bp/sub", "/<int:owner>", "/bp/")
            given["url_prefix"] = self.dice.choice(prefixes[: 4 if depth == 1 else 1])
        if options.get("subdomain_matching") and self.dice.maybe(0.3):
            # Without a variable, which could be in the rule as well.
            given["subdomain"] = self.dice.choice(SUBDOMAINS[:2])
        self.count += 1
        name = f"bp{self.count}"
        has_children = depth < 3 and self.maybe(1.5)
        return Blueprint(
            name,
            given,
            self.hooks(BLUEPRINT_KINDS),
            self.handlers(of_blueprint=True),
            self.rules(options, most=2),
            (self.blueprint(options, depth=depth + 1),) if has_children else (),
        )

    def typed(self) -> tuple[str, ...]:
        """Views of ours, which few applications have, since Flask has none."""
        few = self.dice.maybe(0.12)
        return self.dice.some([*TYPED], most=4, chance=0.7) if few else ()

    def options(self) -> Options:
        options: Options = {}
        if self.maybe(0.4):
            options["host_matching"] = True
            options["static_host"] = self.dice.choice(("localhost", "example.com"))
        elif self.maybe(0.6):
            options["subdomain_matching"] = True
        if self.dice.maybe(0.2) and not options:
            options["static_folder"] = None
        return options

    def config(self) -> Options:
        found: Options = {}
        for key, values in CONFIG.items():
            if self.maybe(0.3):
                value = self.dice.choice(values)
                found[key] = [*value] if isinstance(value, list) else value
        if self.dice.maybe(0.8):
            found["SECRET_KEY"] = "key-a"
        return found

    def overrides(self) -> tuple[Override, ...]:
        if not self.maybe(2):
            return ()
        found = self.dice.sample(METHODS, self.dice.choice((1, 1, 2, 4)))
        seldom = self.dice.choice(SELDOM_CALLED)
        if self.dice.maybe(0.6) and seldom not in found:
            found.append(seldom)
        places = ("subclass", "subclass", "instance", "class")
        overrides = [
            Override(name, self.dice.choice(places if name in METHODS else places[:3]))
            for name in found
        ]
        if self.maybe(2):
            overrides[0] = Override(self.dice.choice([*PLACES]), "place")
        return tuple(overrides)

    def changes(self, requests: int) -> tuple[Change, ...]:
        if not self.maybe(1.5):
            return ()
        changes = []
        for _ in range(self.dice.choice((1, 1, 2, 3))):
            kind, name = self.dice.choice([*CHANGES]), ""
            names = {"signal": SIGNALS, "place": (*PLACES,), "class": METHODS}
            if kind in ("instance", "class", "signal", "place"):
                name = self.dice.choice(names.get(kind, METHODS))
            changes.append(Change(self.dice.randrange(requests), kind, name))
        return tuple(changes)

    def receivers(self) -> tuple[Receiver, ...]:
        names = (*SIGNALS, "request_started", "appcontext_popped")
        return tuple(
            Receiver(name, "Custom" if self.maybe(0.15) else "none")
            for name in names
            if self.maybe(0.6)
        )


def rules_of(prefix: str, owner: Application | Blueprint) -> list[Route]:
    """The routes of an application or a blueprint, with the prefixes of blueprints."""
    inner = owner.blueprints if isinstance(owner, Application) else owner.children
    found = [
        (prefix + rule.rule, rule.options.get("methods", ["GET"]))
        for rule in owner.rules
    ]
    for blueprint in inner:
        own = str(blueprint.options.get("url_prefix", "")).rstrip("/")
        found += rules_of(prefix + own, blueprint)
    return found


def draw_application(seed: int) -> Application:
    """The description of an application: the same for the same seed."""
    drawing = Drawing(seed)
    dice = drawing.dice
    options = drawing.options()
    count = dice.randint(3, 7)
    plan = Application(
        options=options,
        is_plain=drawing.is_plain,
        config=drawing.config(),
        classes=dice.some([*CLASSES], most=2, chance=drawing.chance * 0.6),
        overrides=drawing.overrides(),
        hooks=drawing.hooks(APP_KINDS),
        handlers=drawing.handlers(),
        rules=drawing.rules(options, most=4),
        blueprints=tuple(
            drawing.blueprint(options) for _ in range(2) if drawing.maybe(1.2)
        ),
        receivers=drawing.receivers(),
        middleware=dice.some(("record", "shift"), most=2, chance=drawing.chance * 0.5),
        changes=drawing.changes(count),
        typed=drawing.typed(),
        is_initialized=dice.maybe(0.5),
        looks=dice.some([*LOOKS], most=4, chance=0.35),
    )
    typed: list[Route] = [
        (f"/typed/{name}/<int:n>", TYPED_OPTIONS.get(name, {}).get("methods", ["GET"]))
        for name in plan.typed
    ]
    rules = rules_of("", plan) if not typed or dice.maybe(0.3) else typed
    # Where hosts are matched, few requests would match with the usual one.
    hosts = 0.5 if options.keys() & {"host_matching", "subdomain_matching"} else 0
    odd = drawing.odd
    requests = [draw_request(dice, rules, odd=odd, hosts=hosts) for _ in range(count)]
    return plan._replace(requests=tuple(requests))
