"""JSON that every parser reads, whatever the numbers and letters are."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import typing as t

import pytest
from flask import jsonify, session
from flask.json.provider import DefaultJSONProvider, JSONProvider
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict
from returned import returning

from flask_signature import Flask

NAN, INF = math.nan, math.inf


class Numbers(BaseModel):
    a: float
    b: t.Any = None


class Constants(Numbers, ser_json_inf_nan="constants"): ...


class Texts(Numbers, ser_json_inf_nan="strings"): ...


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


QUOTED = 'say "NaN" or \\"Infinity'
NULLS = {"a": None, "b": [None, None]}
WRITTEN = {
    "default": (Numbers, {"a": NAN, "b": [INF, -INF]}, NULLS),
    "constants": (Constants, {"a": NAN, "b": [INF, -INF]}, NULLS),
    "texts": (Texts, {"a": NAN, "b": "NaN"}, {"a": "NaN", "b": "NaN"}),
    "nested": (
        *(Around, {"inner": [{"a": -INF, "b": "NaN"}]}),
        {"inner": [{"a": None, "b": "NaN"}]},
    ),
    "dataclass": (Data, Data(NAN), {"a": None}),
    "float": (float, NAN, None),
    "list": (list[float], [NAN, 1], [None, 1.0]),
    "anything": (t.Any, {"a": NAN, "b": QUOTED}, {"a": None, "b": QUOTED}),
}


@pytest.mark.parametrize(("model", "value", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_answer_by_a_model_is_json(model, value, expected):
    response = returning(..., value, response_model=model)
    assert response.status_code == 200
    assert strict(response.data) == expected
    assert response.content_length == len(response.data)


SURROGATES = {"alone": "\ud800", "among": "a\udfffé", "two": "\ud83d \ude00"}
EACH_SURROGATE = pytest.mark.parametrize("text", SURROGATES.values(), ids=SURROGATES)


@EACH_SURROGATE
@pytest.mark.parametrize("model", [Numbers, list[Numbers], t.Any], ids=str)
def test_lone_surrogate_is_escaped(model, text):
    value: t.Any = {"a": NAN, "b": text}
    is_list = model == list[Numbers]
    response = returning(..., [value] if is_list else value, response_model=model)

    assert response.status_code == 200
    found = strict(response.data)
    assert (found[0] if is_list else found)["b"] == text


@EACH_SURROGATE
def test_lone_surrogate_in_a_string_of_pydantic_is_no_crash(text):
    # Pydantic's strings are those of Unicode, and this is none.
    assert returning(..., text, response_model=str).status_code in (200, 500)


PLAIN = {
    "dict": {"a": NAN, "b": [INF, -INF], "c": 'NaN "Infinity', "d": "é"},
    "list": [NAN, "NaN", -INF],
}


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("value", PLAIN.values(), ids=PLAIN)
def test_dict_without_a_model_is_json_too(app, client, value, debug):
    app.debug = debug
    app.get("/")(lambda: value)
    app.get("/jsonify", endpoint="jsonify")(lambda: jsonify(value))
    with app.test_request_context():
        expected = DefaultJSONProvider(app).response(value).get_data(as_text=True)
    expected = re.sub(r"(?<=[ :\[,])(-?Infinity|NaN)", "null", expected)

    for path in ("/", "/jsonify"):
        response = client.get(path)
        assert response.text == expected
        strict(response.data)
        assert response.content_length == len(response.data)


def test_lone_surrogate_without_a_model_is_escaped(app, client):
    app.json.ensure_ascii = False
    app.get("/")(lambda: {"a": "é\ud800"})
    assert client.get("/").data == '{"a":"é\\ud800"}\n'.encode()


def test_custom_json_provider_is_used_as_it_is(app, client):
    class Own(JSONProvider):
        def dumps(self, obj: t.Any, **kwargs: t.Any) -> str:
            return "NaN"

        def loads(self, s: str | bytes, **kwargs: t.Any) -> t.Any:
            return None

    app.json = Own(app)
    app.get("/")(lambda: {"a": 1})
    app.get("/model", response_model=Numbers, endpoint="model")(lambda: {"a": 1})

    assert client.get("/").data == b"NaN"
    assert client.get("/model").data == b'{"a":1.0,"b":null}'


def test_settings_of_flasks_provider_are_kept(app, client):
    app.json.sort_keys = False
    app.json.compact = False
    app.json.mimetype = "application/x-own"
    app.get("/")(lambda: {"b": 1, "a": "é"})

    response = client.get("/")

    assert response.content_type == "application/x-own"
    assert response.data == b'{\n  "b": 1,\n  "a": "\\u00e9"\n}\n'


def test_provider_without_default_refuses_what_flasks_refuses(app):
    for provider in (DefaultJSONProvider(app), app.json):
        provider.default = None  # type: ignore[attr-defined]
        with pytest.raises(TypeError, match="type type is not JSON serializable"):
            provider.response({"a": object})


def test_session_keeps_what_json_cannot_hold(app, client):
    app.secret_key = "secret"

    @app.get("/")
    def show():
        session.setdefault("limit", INF)
        return {"limit": session["limit"] == INF}

    client.get("/")
    assert client.get("/").json == {"limit": True}


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    LEAVES | st.sampled_from(["NaN", '"NaN"', "Infinity\\", *SURROGATES.values()]),
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


def test_jsonify_refuses_a_value_beside_names_as_flask_does(app):
    with app.app_context(), pytest.raises(TypeError):
        jsonify("value", name=1)
