"""JSON that every parser reads, whatever the numbers and letters are."""

from __future__ import annotations

import dataclasses
import json
import math
import typing as t

import pytest
from client import client_of
from flask import jsonify, session
from flask.json.provider import DefaultJSONProvider, JSONProvider
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from flask_signature import Flask

NAN, INF = math.nan, math.inf


class Numbers(BaseModel):
    a: float
    b: t.Any = None


class Constants(Numbers):
    model_config = ConfigDict(ser_json_inf_nan="constants")


class Texts(Numbers):
    model_config = ConfigDict(ser_json_inf_nan="strings")


class Around(BaseModel):
    inner: list[Constants]


@dataclasses.dataclass
class Data:
    __pydantic_config__ = ConfigDict(ser_json_inf_nan="constants")
    a: float


def strict(text: bytes) -> t.Any:
    """What a JSON parser reads that knows no constants of JavaScript's."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


WRITTEN = {
    "default": (Numbers, {"a": NAN, "b": [INF, -INF]}, {"a": None, "b": [None, None]}),
    "constants": (
        Constants,
        {"a": NAN, "b": [INF, -INF]},
        {"a": None, "b": [None, None]},
    ),
    "texts": (Texts, {"a": NAN, "b": "NaN"}, {"a": "NaN", "b": "NaN"}),
    "nested": (
        Around,
        {"inner": [{"a": -INF, "b": "NaN"}]},
        {"inner": [{"a": None, "b": "NaN"}]},
    ),
    "dataclass": (Data, Data(NAN), {"a": None}),
    "float": (float, NAN, None),
    "list": (list[float], [NAN, 1], [None, 1.0]),
    "anything": (
        t.Any,
        {"a": NAN, "b": 'say "NaN" or \\"Infinity'},
        {"a": None, "b": 'say "NaN" or \\"Infinity'},
    ),
}


@pytest.mark.parametrize(("model", "value", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_answer_by_a_model_is_json(model, value, expected):
    def show():
        return value

    client = client_of(show, response_model=model)
    response = client.get("/")

    assert response.status_code == 200
    assert strict(response.data) == expected
    assert response.content_length == len(response.data)


SURROGATES = ["\ud800", "a\udfffé", "\ud83d \ude00"]


@pytest.mark.parametrize("text", SURROGATES, ids=["alone", "among-others", "two"])
@pytest.mark.parametrize("model", [Numbers, list[Numbers], t.Any, str], ids=str)
def test_lone_surrogate_is_escaped(model, text):
    value: t.Any = {"a": NAN, "b": text}
    if model is str:
        value = text
    elif model == list[Numbers]:
        value = [value]

    def show():
        return value

    client = client_of(show, response_model=model)
    response = client.get("/")

    if model is str:
        # Pydantic's texts are those of Unicode, and this is none.
        assert response.status_code in (200, 500)
        return
    assert response.status_code == 200
    found = strict(response.data)
    found = found[0] if isinstance(found, list) else found
    assert (found["b"] if isinstance(found, dict) else found) == text


PLAIN = {
    "dict": {"a": NAN, "b": [INF, -INF], "c": 'NaN "Infinity', "d": "é"},
    "list": [NAN, "NaN", -INF],
}


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("value", PLAIN.values(), ids=PLAIN)
def test_dict_without_a_model_is_json_too(value, debug):
    app = Flask(__name__)
    app.debug = debug
    app.get("/")(lambda: value)
    app.get("/jsonify", endpoint="jsonify")(lambda: jsonify(value))
    flasks_own = DefaultJSONProvider(app)

    for path in ("/", "/jsonify"):
        response = app.test_client().get(path)
        with app.test_request_context():
            expected = flasks_own.response(value).get_data(as_text=True)
        for constant in ("-Infinity", "Infinity", "NaN"):
            expected = expected.replace(f" {constant}", " null")
            expected = expected.replace(f":{constant}", ":null")
            expected = expected.replace(f"[{constant}", "[null")
            expected = expected.replace(f",{constant}", ",null")
        assert response.text == expected
        strict(response.data)
        assert response.content_length == len(response.data)


def test_lone_surrogate_without_a_model_is_escaped():
    app = Flask(__name__)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.get("/")(lambda: {"a": "é\ud800"})

    response = app.test_client().get("/")

    assert response.data == '{"a":"é\\ud800"}\n'.encode()


def test_custom_json_provider_is_used_as_it_is():
    class Own(JSONProvider):
        def dumps(self, obj: t.Any, **kwargs: t.Any) -> str:
            return "NaN"

        def loads(self, s: str | bytes, **kwargs: t.Any) -> t.Any:
            return None

    app = Flask(__name__)
    app.json = Own(app)
    app.get("/")(lambda: {"a": 1})
    app.get("/model", response_model=Numbers, endpoint="model")(lambda: {"a": 1})

    assert app.test_client().get("/").data == b"NaN"
    assert app.test_client().get("/model").data == b'{"a":1.0,"b":null}'


def test_settings_of_flasks_provider_are_kept():
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.compact = False  # type: ignore[attr-defined]
    app.json.mimetype = "application/x-own"  # type: ignore[attr-defined]
    app.get("/")(lambda: {"b": 1, "a": "é"})

    response = app.test_client().get("/")

    assert response.content_type == "application/x-own"
    assert response.data == b'{\n  "b": 1,\n  "a": "\\u00e9"\n}\n'


def test_provider_without_default_refuses_what_flasks_refuses():
    app, messages = Flask(__name__), []
    for provider in (DefaultJSONProvider(app), app.json):
        provider.default = None  # type: ignore[attr-defined]
        with pytest.raises(TypeError) as caught:
            provider.response({"a": object})
        messages.append(str(caught.value))

    assert messages == ["Object of type type is not JSON serializable"] * 2


def test_session_keeps_what_json_cannot_hold():
    app = Flask(__name__)
    app.secret_key = "secret"

    @app.get("/")
    def show():
        session.setdefault("limit", INF)
        return {"limit": session["limit"] == INF}

    client = app.test_client()
    client.get("/")
    assert client.get("/").json == {"limit": True}


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    LEAVES | st.sampled_from(["NaN", '"NaN"', "Infinity\\", *SURROGATES]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def without_constants(value: t.Any) -> t.Any:
    """The value with ``None`` for each number that JSON can't hold."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [without_constants(item) for item in value]
    if isinstance(value, dict):
        return {key: without_constants(item) for key, item in value.items()}
    return value


@settings(deadline=None)
@given(VALUES)
def test_any_value_is_json_with_or_without_a_model(value):
    app = Flask(__name__)
    returned = {"a": 0, "b": value}
    app.get("/", response_model=Constants)(lambda: returned)
    app.get("/plain", endpoint="plain")(lambda: returned)

    for path in ("/", "/plain"):
        found = strict(app.test_client().get(path).data)
        assert found["b"] == without_constants(value)


def test_jsonify_refuses_a_value_beside_names_as_flask_does():
    app = Flask(__name__)

    with app.app_context(), pytest.raises(TypeError):
        jsonify("value", name=1)
