"""A method of Flask that was wrapped before our package was imported.

Monitoring tools are loaded first, by ``opentelemetry-instrument`` or ``ddtrace-run``.
So what stood in a class when we were imported is not to be taken for Flask's own.
"""

from __future__ import annotations

import json

from patches import methods_called
from programs import printed_by

#: Counts the calls of each method on our class, imported anew after it was wrapped.
PROGRAM = """
import importlib, inspect, json, sys, warnings
import flask, pydantic
import patches

def forget():
    for name in [*sys.modules]:
        if name == "patches" or name.partition(".")[0] == "flask_signature":
            del sys.modules[name]

def count(named, name):
    global calls
    def called():
        global calls
        calls += 1
    owner = patches.CLASSES[named]
    value = patches.function_around(inspect.getattr_static(owner, name), called)
    with patches.replaced(owner, name, value):
        forget()
        imported = importlib.import_module("patches")
        counts = []
        for cls in (flask.Flask, imported.Fast):
            app = imported.make_app(cls)
            calls = 0
            sent = imported.run(app)
            counts += [calls, sent]
    calls = 0
    sent = imported.run(app)
    assert calls == 0
    return [counts[0], counts[2], counts[1] == counts[3] == sent]

calls = 0
print(json.dumps({
    f"{named}.{name}": count(named, name) for named, name in json.loads(sys.argv[1])
}))
"""

#: Some methods of other classes than the application's.
OTHERS = {
    ("AppContext", "push"),
    ("Map", "bind_to_environ"),
    ("MapAdapter", "match"),
    ("RequestContext", "push"),
    ("Response", "close"),
    ("SecureCookieSessionInterface", "open_session"),
}


def test_wrapper_from_before_our_import_is_called():
    methods = {item for item in methods_called() if item[0] == "Flask"}
    methods |= OTHERS & methods_called()
    counts = json.loads(printed_by("-c", PROGRAM, json.dumps(sorted(methods))))

    assert len(counts) == len(methods)
    for method, (plain, ours, is_same) in counts.items():
        assert ours == plain > 0, method
        assert is_same, method
