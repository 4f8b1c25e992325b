"""Arguments that are read from forms, and files among them."""

import io
import typing as t

import pytest
from annotated_types import Predicate
from client import client_of, echo, refusals
from flask import request
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    field_validator,
)
from werkzeug.datastructures import FileStorage

from flask_signature import File, Form, Query, UploadFile

MULTIPART = "multipart/form-data"
URLENCODED = "application/x-www-form-urlencoded"


def a_file(content: str = "text", name: str = "a.txt") -> tuple[io.BytesIO, str]:
    return io.BytesIO(content.encode()), name


def post(
    view: t.Callable[..., t.Any], data: t.Any, content_type: t.Any = MULTIPART
) -> t.Any:
    client = client_of(view, "/", "POST", config={})
    return client.post("/", data=data, content_type=content_type)


class Point(BaseModel):
    x: int
    y: int = 0


class TestForm:
    @pytest.mark.parametrize("content_type", [MULTIPART, URLENCODED])
    def test_form_is_read_from_both_kinds(self, content_type):
        def view(a: str = Form(), n: int = Form(5), l: list[int] = Form([])):  # noqa: E741
            return echo(a=a, n=n, l=l)

        answer = post(view, {"a": "x", "l": ["1", "2"]}, content_type)

        assert answer.json == {"a": "x", "n": 5, "l": [1, 2]}

    @pytest.mark.parametrize("content_type", ["application/json", "text/plain", None])
    def test_form_is_refused_as_anything_else(self, content_type):
        def view(a: str = Form("d")):
            return echo(a=a)

        answer = post(view, "a=1", content_type)

        assert answer.status_code == 415
        assert answer.json == {
            "message": "The form must be sent as application/x-www-form-urlencoded or"
            " multipart/form-data."
        }

    def test_form_is_refused_as_anything_else_without_a_length(self):
        def view(a: str = Form("d")):
            return {}

        client = client_of(view, "/", "POST")
        chunked = {
            "HTTP_TRANSFER_ENCODING": "chunked",
            "wsgi.input_terminated": True,
            "CONTENT_TYPE": "text/plain",
        }

        assert client.post("/", environ_overrides=chunked).status_code == 415

    def test_form_that_is_empty_needs_no_content_type(self):
        def view(a: str = Form("d")):
            return echo(a=a)

        assert post(view, b"", None).json == {"a": "d"}

    def test_form_may_be_of_one_kind_only(self):
        def view(a: str = Form(media_type=MULTIPART)):
            return echo(a=a)

        assert post(view, {"a": "x"}, MULTIPART).json == {"a": "x"}
        answer = post(view, {"a": "x"}, URLENCODED)
        assert answer.status_code == 415
        assert answer.json == {
            "message": "The form must be sent as multipart/form-data."
        }

    def test_form_may_be_sent_with_other_methods(self):
        def view(a: str = Form()):
            return echo(a=a)

        client = client_of(view, "/", "PUT", status_code=200)

        assert client.put("/", data={"a": "x"}).json == {"a": "x"}

    @pytest.mark.parametrize(
        ("annotation", "value"),
        [
            (str, ""),
            (str | None, ""),
            (int | None, None),
            (t.Any, ""),
            (bytes, ""),
            (t.Literal["", "a"], ""),
            (int, None),
            (bool | None, None),
            (list[int], None),
        ],
        ids=str,
    )
    def test_a_blank_field_is_absent_unless_it_may_be_text(self, annotation, value):
        def view(a=Form(None)):
            return echo(a=a)

        view.__annotations__ = {"a": annotation}

        assert post(view, "a=", URLENCODED).json == {"a": value}

    def test_a_text_may_not_be_a_file(self):
        def view(a: str = Form()):
            return {}

        assert refusals(post(view, {"a": a_file()})) == [(["form", "a"], "string_type")]

    def test_fields_may_have_aliases(self):
        def view(a: int = Form(alias="the a")):
            return echo(a=a)

        assert post(view, {"the a": "1"}).json == {"a": 1}
        assert refusals(post(view, {"a": "1"})) == [(["form", "the a"], "missing")]


class TestJsonText:
    """A field that is a model, a dict or a list of lists is a field of JSON text."""

    class Order(BaseModel):
        who: str
        where: Point
        tags: dict[str, int] = {}
        also: Point | None = None
        stops: list[Point] = []

    def test_json_field_is_the_field_of_a_form_model(self):
        def view(o: t.Annotated[TestJsonText.Order, Form()]):
            return echo(o=o)

        sent = {
            "who": "me",
            "where": '{"x": 1}',
            "tags": '{"a": 2}',
            "stops": ['{"x": 3}', '{"x": 4, "y": 5}'],
        }

        assert post(view, sent).json == {
            "o": {
                "who": "me",
                "where": {"x": 1, "y": 0},
                "tags": {"a": 2},
                "also": None,
                "stops": [{"x": 3, "y": 0}, {"x": 4, "y": 5}],
            }
        }

    def test_json_field_is_refused_where_it_is_wrong(self):
        def view(o: t.Annotated[TestJsonText.Order, Form()]):
            return {}

        sent = {
            "who": "me",
            "where": '{"x": "a"}',
            "tags": "{",
            "also": "",
            "stops": "[]",
        }

        assert refusals(post(view, sent)) == [
            (["form", "where", "x"], "int_parsing"),
            (["form", "tags"], "json_invalid"),
            (["form", "stops", 0], "model_type"),
        ]

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("{", "EOF while parsing an object at line 1 column 1"),
            ('{"a": NaN}', "expected value at line 1 column 7"),
        ],
    )
    def test_json_field_that_is_malformed_is_reported_with_the_reason(
        self, text, reason
    ):
        def view(x: t.Annotated[dict[str, float], Form()]):
            return {}

        (entry,) = post(view, {"x": text}).json["detail"]

        assert entry == {
            "loc": ["form", "x"],
            "msg": f"Invalid JSON: {reason}",
            "type": "json_invalid",
            "ctx": {"error": reason},
        }

    def test_json_field_is_refused_once_however_many_types_it_could_be(self):
        class Pair(BaseModel):
            a: int

        class Two(BaseModel):
            value: Point | Pair

        def view(two: t.Annotated[Two, Form()]):
            return {}

        (refused,) = refusals(post(view, {"value": "{"}))

        assert refused[1] == "json_invalid"

    def test_json_field_is_the_text_itself_for_a_type_that_is_also_text(self):
        def view(x: t.Annotated[dict[str, int] | str, Form()]):
            return echo(x=x)

        assert post(view, {"x": '{"a": 1}'}).json == {"x": {"a": 1}}
        assert post(view, {"x": "plain"}).json == {"x": "plain"}

    def test_json_field_is_a_dict_argument(self):
        def view(x: t.Annotated[dict[str, Point], Form()]):
            return echo(x=x)

        assert post(view, {"x": '{"a": {"x": 1}}'}).json == {
            "x": {"a": {"x": 1, "y": 0}}
        }

    def test_json_field_may_be_several(self):
        def view(x: t.Annotated[list[dict[str, int]], Form()]):
            return echo(x=x)

        answer = post(view, {"x": ['{"a": 1}', '{"b": 2}']})

        assert answer.json == {"x": [{"a": 1}, {"b": 2}]}

    def test_json_field_is_no_file(self):
        def view(x: t.Annotated[dict[str, int], Form()]):
            return {}

        assert refusals(post(view, {"x": a_file('{"a": 1}')})) == [
            (["form", "x"], "dict_type")
        ]


class TestFormModel:
    def test_form_model_shares_the_form_with_others(self):
        class Name(BaseModel):
            name: str

        def view(
            p: t.Annotated[Point, Form()],
            n: t.Annotated[Name, Form()],
            s: str = Form("d"),
            q: str = Query("d"),
        ):
            return echo(p=p, n=n, s=s, q=q)

        assert post(view, {"x": "1", "name": "a", "s": "b"}).json == {
            "p": {"x": 1, "y": 0},
            "n": {"name": "a"},
            "s": "b",
            "q": "d",
        }

    def test_form_model_may_forbid_other_fields_and_files(self):
        class Closed(BaseModel):
            model_config = ConfigDict(extra="forbid")
            a: str

        def view(c: t.Annotated[Closed, Form()], f: UploadFile = File(None)):
            return {}

        assert post(view, {"a": "1", "f": a_file()}).status_code == 201
        assert refusals(post(view, {"a": "1", "b": "2", "g": a_file()})) == [
            (["form", "b"], "extra_forbidden"),
            (["form", "g"], "extra_forbidden"),
        ]

    def test_form_model_reads_a_field_under_its_alias_like_any(self):
        class Order(BaseModel):
            where: Point = Field(alias="to")
            count: int = Field(1, alias="n")

        def view(o: t.Annotated[Order, Form()]):
            return echo(where=o.where, count=o.count)

        assert post(view, {"to": '{"x": 1}', "n": ""}).json == {
            "where": {"x": 1, "y": 0},
            "count": 1,
        }

    def test_form_model_that_is_optional_is_none_where_none_of_its_fields_is_sent(self):
        def view(p: t.Annotated[Point | None, Form()] = None):
            return echo(p=p)

        assert post(view, {"other": "1"}).json == {"p": None}
        assert post(view, {"x": ""}).json == {"p": None}
        assert post(view, {"x": "1"}).json == {"p": {"x": 1, "y": 0}}
        assert refusals(post(view, {"y": "1"})) == [(["form", "x"], "missing")]

    def test_form_model_mixes_texts_and_files(self):
        class Photo(BaseModel):
            title: str
            image: UploadFile
            more: list[UploadFile] = []
            small: FileStorage | None = None

            model_config = ConfigDict(arbitrary_types_allowed=True)

        def view(p: t.Annotated[Photo, Form()]):
            return echo(title=p.title, image=p.image, more=p.more, small=p.small)

        assert post(
            view,
            {
                "title": "t",
                "image": a_file("one"),
                "more": [a_file("two"), a_file("three"), a_file("", "")],
                "small": a_file("", ""),
            },
        ).json == {
            "title": "t",
            "image": "one",
            "more": ["two", "three"],
            "small": None,
        }
        assert refusals(post(view, {"title": "t"})) == [(["form", "image"], "missing")]
        assert refusals(post(view, {"title": "t", "image": "text"})) == [
            (["form", "image"], "is_instance_of")
        ]

    def test_form_model_may_have_an_alias_for_a_file(self):
        class Photo(BaseModel):
            image: UploadFile = Field(alias="the-image")

        def view(p: t.Annotated[Photo, Form()]):
            return echo(image=p.image)

        assert post(view, {"the-image": a_file("one")}).json == {"image": "one"}


class TestFile:
    @pytest.mark.parametrize("annotation", [FileStorage, UploadFile, UploadFile | None])
    def test_file_is_what_werkzeug_made(self, annotation):
        def view(f):
            assert type(f) is FileStorage
            assert f is request.files["f"]
            return {"name": f.filename, "content": f.read().decode()}

        view.__annotations__ = {"f": annotation}

        answer = post(view, {"f": a_file("one", "1.txt")})

        assert answer.json == {"name": "1.txt", "content": "one"}

    def test_file_may_be_untyped(self):
        def view(f=File()):
            return echo(f=f)

        assert post(view, {"f": a_file("one")}).json == {"f": "one"}
        assert refusals(post(view, {"f": "text"})) == [
            (["file", "f"], "is_instance_of")
        ]

    def test_file_may_be_of_any_type(self):
        def view(f: t.Any = File()):
            return echo(f=f)

        assert post(view, {"f": a_file("one")}).json == {"f": "one"}

    @pytest.mark.parametrize("style", [bytes, bytes | None])
    def test_file_may_be_its_content(self, style):
        def view(f=File()):
            return echo(f=f, again=request.files["f"])

        view.__annotations__ = {"f": style}

        assert post(view, {"f": a_file("one")}).json == {"f": "one", "again": "one"}

    def test_a_file_is_checked_by_functions_of_the_author(self):
        def view(
            f: t.Annotated[
                UploadFile, Predicate(lambda file: file.filename == "a.txt")
            ],
        ):
            return {}

        assert post(view, {"f": a_file("one", "a.txt")}).json == {}
        assert refusals(post(view, {"f": a_file("one", "b.txt")})) == [
            (["file", "f"], "predicate_failed")
        ]

    def test_file_of_which_the_content_is_wanted_is_no_text(self):
        def view(f: bytes = File(max_length=2)):
            return {}

        assert refusals(post(view, {"f": "text"})) == [(["file", "f"], "bytes_type")]
        assert refusals(post(view, {"f": a_file("one")})) == [
            (["file", "f"], "bytes_too_long")
        ]

    @pytest.mark.parametrize(
        "annotation",
        [
            list[FileStorage],
            tuple[FileStorage, ...],
            list[UploadFile] | None,
            list[bytes],
        ],
        ids=str,
    )
    def test_file_may_be_several(self, annotation):
        def view(f=File()):
            return echo(f=list(f))

        view.__annotations__ = {"f": annotation}

        one = post(view, {"f": a_file("one")})
        two = post(view, {"f": [a_file("one"), a_file("", ""), a_file("two")]})

        assert one.json == {"f": ["one"]}
        assert two.json == {"f": ["one", "two"]}
        assert refusals(post(view, {"g": a_file()})) == [(["file", "f"], "missing")]

    def test_file_counts_before_a_text_of_the_same_name(self):
        def view(f: UploadFile):
            return echo(f=f)

        assert post(view, {"f": ["text", a_file("one")]}).json == {"f": "one"}

    @pytest.mark.parametrize("name", ["", "a.txt"])
    def test_file_that_was_left_empty_is_absent(self, name):
        def view(f: UploadFile | None = None):
            return {"chosen": f is not None}

        assert post(view, {"f": a_file("", name)}).json == {"chosen": bool(name)}

    @pytest.mark.parametrize("special", [File, Form])
    def test_file_without_a_name_is_a_file_where_it_has_content(self, special):
        boundary = "x"
        body = (
            '--x\r\nContent-Disposition: form-data; name="f"; filename=""\r\n\r\n'
            "one\r\n--x--\r\n"
        )

        def view(f: t.Annotated[UploadFile, special()]):
            return echo(f=f)

        answer = post(view, body, f"{MULTIPART}; boundary={boundary}")

        assert answer.json == {"f": "one"}

    @pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
    def test_file_is_found_by_its_type_alone(self, method):
        def view(f: FileStorage, fs: list[FileStorage] | None = None):
            return echo(f=f)

        client = client_of(view, "/", method, status_code=200)

        answer = client.open("/", method=method, data={"f": a_file("one")})
        assert answer.json == {"f": "one"}

    @pytest.mark.parametrize(
        ("content_type", "is_accepted"),
        [
            ("image/png", True),
            ("IMAGE/PNG; q=1", True),
            ("text/csv", True),
            ("image/gif", False),
            ("texts/csv", False),
            ("", True),
        ],
    )
    @pytest.mark.parametrize("annotation", [UploadFile, bytes, UploadFile | None])
    def test_file_of_another_content_type_is_refused(
        self, annotation, content_type, is_accepted
    ):
        def view(f=File(content_type="image/PNG, text/*")):
            return echo(f=f)

        view.__annotations__ = {"f": annotation}

        answer = post(view, {"f": (*a_file("one"), content_type)})

        if is_accepted:
            assert answer.json == {"f": "one"}
            return
        assert answer.status_code == 422
        assert answer.json == {
            "detail": [
                {
                    "loc": ["file", "f"],
                    "msg": "File should be of the content type image/png or text/*",
                    "type": "content_type",
                    "ctx": {"expected": "image/png or text/*"},
                }
            ]
        }

    def test_file_without_a_content_type_is_text(self):
        body = (
            '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
            "one\r\n--x--\r\n"
        )

        def view(f: UploadFile = File(content_type="text/plain")):
            return echo(f=f)

        def other(f: UploadFile = File(content_type="image/png, image/gif")):
            return echo(f=f)

        content_type = f"{MULTIPART}; boundary=x"
        assert post(view, body, content_type).json == {"f": "one"}
        assert refusals(post(other, body, content_type)) == [
            (["file", "f"], "content_type")
        ]

    def test_each_of_several_files_has_its_content_type_checked(self):
        def view(
            fs: list[UploadFile] = File(content_type="image/*"),
            g: list[UploadFile] | None = File(None, content_type="text/*"),
        ):
            return echo(f=fs)

        data = {
            "fs": [
                (*a_file("1"), "text/css"),
                (*a_file("2"), "image/png"),
                (*a_file("3"), "application/pdf"),
            ]
        }

        assert refusals(post(view, data)) == [
            (["file", "fs", 0], "content_type"),
            (["file", "fs", 2], "content_type"),
        ]
        assert refusals(post(view, {"fs": "text"})) == [
            (["file", "fs", 0], "is_instance_of")
        ]

    def test_views_that_differ_in_content_types_alone_read_their_own(self):
        def pictures(f: UploadFile = File(content_type="image/*")):
            return echo(f=f)

        def texts(f: UploadFile = File(content_type="text/*")):
            return echo(f=f)

        data = {"f": (*a_file("one"), "image/png")}
        assert post(pictures, data).status_code == 201
        data = {"f": (*a_file("one"), "image/png")}
        assert post(texts, data).status_code == 422

    def test_file_is_refused_as_anything_but_a_form(self):
        def view(f: UploadFile):
            return {}

        answer = post(view, b"abc", "image/png")

        assert answer.status_code == 415
        assert answer.json == {
            "message": "The form must be sent as multipart/form-data."
        }

    def test_file_sits_beside_a_form_and_a_query(self):
        def view(f: UploadFile, title: str = Form(), q: int = Query(1)):
            return echo(f=f, title=title, q=q)

        answer = post(view, {"f": a_file("one"), "title": "t"})

        assert answer.json == {"f": "one", "title": "t", "q": 1}


class TestSizes:
    """Flask's own limits keep their meaning, and are answered in JSON."""

    @pytest.mark.parametrize(
        ("config", "data", "content_type"),
        [
            ({"MAX_CONTENT_LENGTH": 10}, "a=" + "x" * 20, URLENCODED),
            ({"MAX_CONTENT_LENGTH": 10}, {"a": "x" * 20}, MULTIPART),
            ({"MAX_FORM_MEMORY_SIZE": 10}, {"a": "x" * 20}, MULTIPART),
            ({"MAX_FORM_PARTS": 2}, {"a": ["x"] * 3}, MULTIPART),
        ],
        ids=["length", "length-multipart", "memory", "parts"],
    )
    def test_forms_that_are_too_large_are_413(self, config, data, content_type):
        def view(a: list[str] = Form()):
            return {}

        client = client_of(view, "/", "POST", config=config)
        if "MAX_FORM_MEMORY_SIZE" in config or "MAX_FORM_PARTS" in config:
            # Flask 3.0 knows these as attributes of its request only.
            client.application.request_class = type(
                "Request",
                (client.application.request_class,),
                {name.lower(): value for name, value in config.items()},
            )

        answer = client.post("/", data=data, content_type=content_type)

        assert answer.status_code == 413
        assert answer.json == {"message": "Request Entity Too Large"}


def test_a_boundary_that_is_too_long_is_refused():
    def view(a: str = Form()):
        return {}

    boundary = "b" * 201
    body = f'--{boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'

    answer = post(view, f"{body}--{boundary}--", f"{MULTIPART}; boundary={boundary}")
    assert answer.status_code == 415
    shorter = f"{body}--{boundary}--".replace(boundary, boundary[1:])
    answer = post(view, shorter, f"{MULTIPART}; boundary={boundary[1:]}")
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"data": b""},
        {"data": {}},
        {"environ_overrides": {"CONTENT_TYPE": f"{MULTIPART}; boundary=x"}},
    ],
)
def test_a_request_without_a_body_names_all_that_it_lacks(sent):
    def view(
        q: int = Query(), f: UploadFile = File(), a: str = Form(), b: str = Form()
    ):
        raise AssertionError

    answer = client_of(view, "/", "POST").post("/", **sent)

    assert [error["loc"] for error in answer.json["detail"]] == [
        ["query", "q"],
        ["file", "f"],
        ["form", "a"],
        ["form", "b"],
    ]


class TestFunctionsOfAuthors:
    """A function before a type is never given what could not be read."""

    @staticmethod
    def split(value: t.Any) -> t.Any:
        return dict([value.split("=")]) if isinstance(value, str) else {**value}

    @pytest.mark.parametrize("validator", [BeforeValidator, PlainValidator])
    def test_invalid_json_is_refused(self, validator):
        tp = t.Annotated[dict[str, t.Any], validator(self.split)]

        def view(d, n=Form()):
            return echo(d=d)

        view.__annotations__ = {"d": t.Annotated[tp, Form()], "n": int}
        client = client_of(view, "/", "POST")

        assert client.post("/", data={"d": '{"a": 1}', "n": "1"}).json == {
            "d": {"a": 1}
        }
        answer = client.post("/", data={"d": "a=1", "n": "x"})
        assert answer.status_code == 422
        assert [(e["loc"], e["type"]) for e in answer.json["detail"]] == [
            (["form", "n"], "int_parsing"),
            (["form", "d"], "json_invalid"),
        ]
        answer = client.post("/", data={"d": "a=1", "n": "1"})
        assert [e["loc"] for e in answer.json["detail"]] == [["form", "d"]]

    def test_invalid_json_in_a_list_is_refused_by_its_index(self):
        tp = t.Annotated[dict[str, t.Any], BeforeValidator(self.split)]

        def view(d):
            raise AssertionError

        view.__annotations__ = {"d": t.Annotated[list[tp], Form()]}

        client = client_of(view, "/", "POST")

        answer = client.post("/", data={"d": ["{}", "a=1"]})

        assert [(e["loc"], e["type"]) for e in answer.json["detail"]] == [
            (["form", "d", 1], "json_invalid")
        ]
        answer = client.post("/", data={"d": ["a=1"] * 20_000})
        assert len(answer.json["detail"]) == 100

    def test_invalid_json_is_refused_before_the_validator_of_a_field(self):
        class Order(BaseModel):
            address: dict[str, str]
            note: str = ""

            @field_validator("address", mode="before")
            @classmethod
            def read(cls, value: t.Any) -> t.Any:
                return value.get("address", value)

        def view(order):
            return order.model_dump()

        view.__annotations__ = {"order": t.Annotated[Order, Form()]}
        client = client_of(view, "/", "POST")

        sent = {"address": '{"address": {"city": "Bonn"}}'}
        assert client.post("/", data=sent).json["address"] == {"city": "Bonn"}
        answer = client.post("/", data={"address": "Bonn"})
        assert [(e["loc"], e["type"]) for e in answer.json["detail"]] == [
            (["form", "address"], "json_invalid")
        ]

    def test_a_file_of_another_type_is_not_given_to_a_function(self):
        called = []
        tp = t.Annotated[UploadFile, BeforeValidator(lambda file: called.append(file))]

        def view(f):
            raise AssertionError

        view.__annotations__ = {"f": t.Annotated[tp, File(content_type="image/png")]}

        answer = post(view, {"f": (*a_file("one"), "text/plain")})

        assert answer.status_code == 422
        assert [e["loc"] for e in answer.json["detail"]] == [["file", "f"]]
        assert called == []
