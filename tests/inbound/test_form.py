"""Arguments that are read from forms, and files among them."""

import io
import typing as t

import pytest
from annotated_types import Predicate
from client import client_of, echo, refusals, taking
from flask import request
from pydantic import BaseModel, BeforeValidator, Field, PlainValidator, field_validator
from werkzeug.datastructures import FileStorage

from flask_signature import File, Form, Query, UploadFile

MULTIPART = "multipart/form-data"
URLENCODED = "application/x-www-form-urlencoded"


def a_file(
    content: str = "text", name: str = "a.txt", content_type: str | None = None
) -> tuple[t.Any, ...]:
    """A file for the test client."""
    more = () if content_type is None else (content_type,)
    return (io.BytesIO(content.encode()), name, *more)


def post(
    view: t.Callable[..., t.Any], data: t.Any, content_type: t.Any = MULTIPART
) -> t.Any:
    client = client_of(view, "/", "POST", config={})
    return client.post("/", data=data, content_type=content_type)


def part(disposition: str) -> str:
    """A form of one part, whose boundary is ``x``."""
    head = f"Content-Disposition: form-data; {disposition}"
    return f"--x\r\n{head}\r\n\r\none\r\n--x--\r\n"


class Point(BaseModel):
    x: int
    y: int = 0


NO_FILES = "The form must be sent as multipart/form-data."


MAY_BE_BLANK = (str, str | None, t.Any, bytes, t.Literal["", "a"])
MAY_NOT = (int, int | None, bool | None, list[int])


class TestForm:
    @pytest.mark.parametrize("content_type", [MULTIPART, URLENCODED])
    def test_form_is_read_from_both_kinds(self, content_type):
        def view(a: str = Form(), n: int = Form(5), l: list[int] = Form([])):  # noqa: E741
            return echo(a=a, n=n, l=l)

        answer = post(view, {"a": "x", "l": ["1", "2"]}, content_type)
        assert answer.json == {"a": "x", "n": 5, "l": [1, 2]}

    def test_form_that_is_empty_needs_no_content_type(self):
        assert post(taking(str, Form("d")), b"", None).json == {"x": "d"}

    def test_form_may_be_of_one_kind_only(self):
        view = taking(str, Form(media_type=MULTIPART))

        assert post(view, {"x": "1"}, MULTIPART).json == {"x": "1"}
        answer = post(view, {"x": "1"}, URLENCODED)
        assert (answer.status_code, answer.json) == (415, {"message": NO_FILES})

    @pytest.mark.parametrize("annotation", [*MAY_BE_BLANK, *MAY_NOT], ids=str)
    def test_a_blank_field_is_absent_unless_it_may_be_text(self, annotation):
        value = "" if annotation in MAY_BE_BLANK else None

        assert post(taking(annotation, Form(None)), "x=", URLENCODED).json == {
            "x": value
        }

    def test_a_text_may_not_be_a_file(self):
        refused = post(taking(str, Form()), {"x": a_file()})

        assert refusals(refused) == [(["form", "x"], "string_type")]


class Order(BaseModel):
    who: str
    where: Point
    tags: dict[str, int] = {}
    also: Point | None = None
    stops: list[Point] = []


class Other(BaseModel):
    a: int


class Two(BaseModel):
    value: Point | Other


class TestJsonText:
    """A field that is a model, a dict or a list of lists is a field of JSON text."""

    def test_json_field_is_the_field_of_a_form_model(self):
        sent = {
            "who": "me",
            "where": '{"x": 1}',
            "tags": '{"a": 2}',
            "stops": ['{"x": 3}', '{"x": 4, "y": 5}'],
        }

        assert post(taking(t.Annotated[Order, Form()]), sent).json["x"] == {
            "who": "me",
            "where": {"x": 1, "y": 0},
            "tags": {"a": 2},
            "also": None,
            "stops": [{"x": 3, "y": 0}, {"x": 4, "y": 5}],
        }

    def test_json_field_is_refused_where_it_is_wrong(self):
        sent = {
            "who": "me",
            "where": '{"x": "a"}',
            "tags": "{",
            "also": "",
            "stops": "[]",
        }

        assert refusals(post(taking(t.Annotated[Order, Form()]), sent)) == [
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
        view = taking(t.Annotated[dict[str, float], Form()])

        assert post(view, {"x": text}).json["detail"] == [
            {
                "loc": ["form", "x"],
                "msg": f"Invalid JSON: {reason}",
                "type": "json_invalid",
                "ctx": {"error": reason},
            }
        ]

    def test_json_field_is_refused_once_however_many_types_it_could_be(self):
        view = taking(t.Annotated[Two, Form()])
        ((_, kind),) = refusals(post(view, {"value": "{"}))

        assert kind == "json_invalid"

    @pytest.mark.parametrize(
        ("annotation", "sent", "value"),
        [
            (dict[str, int] | str, '{"a": 1}', {"a": 1}),
            (dict[str, int] | str, "plain", "plain"),
            (dict[str, Point], '{"a": {"x": 1}}', {"a": {"x": 1, "y": 0}}),
            (list[dict[str, int]], ['{"a": 1}', '{"b": 2}'], [{"a": 1}, {"b": 2}]),
        ],
        ids=str,
    )
    def test_json_field_is_an_argument(self, annotation, sent, value):
        view = taking(t.Annotated[annotation, Form()])

        assert post(view, {"x": sent}).json == {"x": value}

    def test_json_field_is_no_file(self):
        view = taking(t.Annotated[dict[str, int], Form()])
        refused = post(view, {"x": a_file('{"a": 1}')})

        assert refusals(refused) == [(["form", "x"], "dict_type")]


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
        class Closed(BaseModel, extra="forbid"):
            a: str

        def view(c: t.Annotated[Closed, Form()], f: UploadFile = File(None)):
            return {}

        assert post(view, {"a": "1", "f": a_file()}).status_code == 201
        assert refusals(post(view, {"a": "1", "b": "2", "g": a_file()})) == [
            (["form", "b"], "extra_forbidden"),
            (["form", "g"], "extra_forbidden"),
        ]

    def test_form_model_reads_a_field_under_its_alias_like_any(self):
        class Aliased(BaseModel):
            where: Point = Field(alias="to")
            count: int = Field(1, alias="n")
            image: UploadFile = Field(alias="the-image")

        def view(o: t.Annotated[Aliased, Form()]):
            return echo(where=o.where, count=o.count, image=o.image)

        sent = {"to": '{"x": 1}', "n": "", "the-image": a_file("one")}
        assert post(view, sent).json == {
            "where": {"x": 1, "y": 0},
            "count": 1,
            "image": "one",
        }

    def test_form_model_that_is_optional_is_none_where_none_of_its_fields_is_sent(self):
        view = taking(t.Annotated[Point | None, Form()], None)

        assert post(view, {"other": "1"}).json == {"x": None}
        assert post(view, {"x": ""}).json == {"x": None}
        assert post(view, {"x": "1"}).json == {"x": {"x": 1, "y": 0}}
        assert refusals(post(view, {"y": "1"})) == [(["form", "x"], "missing")]

    def test_form_model_mixes_texts_and_files(self):
        class Photo(BaseModel, arbitrary_types_allowed=True):
            title: str
            image: UploadFile
            more: list[UploadFile] = []
            small: FileStorage | None = None

        def view(p: t.Annotated[Photo, Form()]):
            return echo(title=p.title, image=p.image, more=p.more, small=p.small)

        sent = {
            "title": "t",
            "image": a_file("one"),
            "more": [a_file("two"), a_file("three"), a_file("", "")],
            "small": a_file("", ""),
        }
        assert post(view, sent).json == {
            "title": "t",
            "image": "one",
            "more": ["two", "three"],
            "small": None,
        }
        assert refusals(post(view, {"title": "t"})) == [(["form", "image"], "missing")]
        assert refusals(post(view, {"title": "t", "image": "text"})) == [
            (["form", "image"], "is_instance_of")
        ]


def text_file(file: t.Any) -> bool:
    return file.filename == "a.txt"


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

    @pytest.mark.parametrize("annotation", [bytes, bytes | None])
    def test_file_may_be_its_content(self, annotation):
        def view(x=File()):
            return echo(x=x, again=request.files["x"])

        view.__annotations__ = {"x": annotation}
        assert post(view, {"x": a_file("one")}).json == {"x": "one", "again": "one"}

    def test_file_may_be_untyped_or_of_any_type(self):
        def untyped(x=File()):
            return echo(x=x)

        for view in (untyped, taking(t.Any, File())):
            assert post(view, {"x": a_file("one")}).json == {"x": "one"}

    @pytest.mark.parametrize(
        ("annotation", "sent", "kind"),
        [
            (None, "text", "is_instance_of"),
            (bytes, "text", "bytes_type"),
            (t.Annotated[bytes, Field(max_length=2)], a_file("one"), "bytes_too_long"),
            (
                t.Annotated[UploadFile, Predicate(text_file)],
                a_file("one", "b.txt"),
                "predicate_failed",
            ),
        ],
    )
    def test_file_of_a_wrong_type_is_refused(self, annotation, sent, kind):
        view = taking(annotation, File())
        if annotation is None:
            view.__annotations__ = {}

        assert refusals(post(view, {"x": sent})) == [(["file", "x"], kind)]

    def test_a_file_is_checked_by_functions_of_the_author(self):
        view = taking(t.Annotated[UploadFile, Predicate(text_file)])

        assert post(view, {"x": a_file("one", "a.txt")}).json == {"x": "one"}

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
        answer = post(taking(UploadFile), {"x": ["text", a_file("one")]})

        assert answer.json == {"x": "one"}

    @pytest.mark.parametrize(("name", "value"), [("", None), ("a.txt", "")])
    def test_file_that_was_left_empty_is_absent(self, name, value):
        view = taking(UploadFile | None, None)

        assert post(view, {"x": a_file("", name)}).json == {"x": value}

    @pytest.mark.parametrize("special", [File, Form])
    def test_file_without_a_name_is_a_file_where_it_has_content(self, special):
        view = taking(t.Annotated[UploadFile, special()])
        answer = post(view, part('name="x"; filename=""'), f"{MULTIPART}; boundary=x")

        assert answer.json == {"x": "one"}

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
        view = taking(annotation, File(content_type="image/PNG, text/*"))

        answer = post(view, {"x": a_file("one", "a.txt", content_type)})

        if is_accepted:
            assert answer.json == {"x": "one"}
            return
        assert answer.status_code == 422
        assert answer.json == {
            "detail": [
                {
                    "loc": ["file", "x"],
                    "msg": "File should be of the content type image/png or text/*",
                    "type": "content_type",
                    "ctx": {"expected": "image/png or text/*"},
                }
            ]
        }

    def test_file_without_a_content_type_is_text(self):
        text = taking(UploadFile, File(content_type="text/plain"))
        image = taking(UploadFile, File(content_type="image/png, image/gif"))
        sent = part('name="x"; filename="f"'), f"{MULTIPART}; boundary=x"

        assert post(text, *sent).json == {"x": "one"}
        assert refusals(post(image, *sent)) == [(["file", "x"], "content_type")]

    def test_each_of_several_files_has_its_content_type_checked(self):
        def view(
            fs: list[UploadFile] = File(content_type="image/*"),
            g: list[UploadFile] | None = File(None, content_type="text/*"),
        ):
            raise AssertionError

        types = ("text/css", "image/png", "application/pdf")
        data = {"fs": [a_file("1", "a.txt", content_type) for content_type in types]}
        assert refusals(post(view, data)) == [
            (["file", "fs", 0], "content_type"),
            (["file", "fs", 2], "content_type"),
        ]
        assert refusals(post(view, {"fs": "text"})) == [
            (["file", "fs", 0], "is_instance_of")
        ]

    @pytest.mark.parametrize(
        ("content_type", "status"), [("image/*", 201), ("text/*", 422)]
    )
    def test_views_that_differ_in_content_types_alone_read_their_own(
        self, content_type, status
    ):
        view = taking(UploadFile, File(content_type=content_type))
        answer = post(view, {"x": a_file("one", "a.txt", "image/png")})

        assert answer.status_code == status


@pytest.mark.parametrize(
    ("config", "data", "content_type"),
    [
        ({"MAX_CONTENT_LENGTH": 10}, "x=" + "x" * 20, URLENCODED),
        ({"MAX_CONTENT_LENGTH": 10}, {"x": "x" * 20}, MULTIPART),
        ({"MAX_FORM_MEMORY_SIZE": 10}, {"x": "x" * 20}, MULTIPART),
        ({"MAX_FORM_PARTS": 2}, {"x": ["x"] * 3}, MULTIPART),
    ],
    ids=["length", "length-multipart", "memory", "parts"],
)
def test_forms_that_are_too_large_for_flasks_limits_are_413(config, data, content_type):
    client = client_of(taking(list[str], Form()), "/", "POST", config=config)
    if "MAX_CONTENT_LENGTH" not in config:
        # Flask 3.0 knows these as attributes of its request only.
        client.application.request_class = type(
            "Request",
            (client.application.request_class,),
            {name.lower(): value for name, value in config.items()},
        )
    answer = client.post("/", data=data, content_type=content_type)

    assert answer.status_code == 413
    assert answer.json == {"message": "Request Entity Too Large"}


@pytest.mark.parametrize(("length", "status"), [(201, 415), (200, 201)])
def test_a_boundary_that_is_too_long_is_refused(length, status):
    boundary = "b" * length
    body = f'--{boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n'
    answer = post(
        taking(str, Form()),
        f"{body}--{boundary}--",
        f"{MULTIPART}; boundary={boundary}",
    )

    assert answer.status_code == status


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

    places = [
        place for place, _ in refusals(client_of(view, "/", "POST").post("/", **sent))
    ]
    assert places == [["query", "q"], ["file", "f"], ["form", "a"], ["form", "b"]]


def split(value: t.Any) -> t.Any:
    return dict([value.split("=")]) if isinstance(value, str) else {**value}


class TestFunctionsOfAuthors:
    """A function before a type is never given what could not be read."""

    @pytest.mark.parametrize("validator", [BeforeValidator, PlainValidator])
    def test_invalid_json_is_refused(self, validator):
        tp = t.Annotated[dict[str, t.Any], validator(split)]

        def view(d: t.Annotated[tp, Form()], n: int = Form()):
            return echo(d=d)

        client = client_of(view, "/", "POST")
        read = client.post("/", data={"d": '{"a": 1}', "n": "1"})
        assert read.json == {"d": {"a": 1}}
        assert refusals(client.post("/", data={"d": "a=1", "n": "x"})) == [
            (["form", "n"], "int_parsing"),
            (["form", "d"], "json_invalid"),
        ]
        assert refusals(client.post("/", data={"d": "a=1", "n": "1"})) == [
            (["form", "d"], "json_invalid")
        ]

    def test_invalid_json_in_a_list_is_refused_by_its_index(self):
        tp = t.Annotated[dict[str, t.Any], BeforeValidator(split)]
        client = client_of(taking(t.Annotated[list[tp], Form()]), "/", "POST")
        refused = client.post("/", data={"x": ["{}", "a=1"]})

        assert refusals(refused) == [(["form", "x", 1], "json_invalid")]
        assert len(refusals(client.post("/", data={"x": ["a=1"] * 20_000}))) == 100

    def test_invalid_json_is_refused_before_the_validator_of_a_field(self):
        class Sent(BaseModel):
            address: dict[str, str]

            @field_validator("address", mode="before")
            @classmethod
            def read(cls, value: t.Any) -> t.Any:
                return value.get("address", value)

        view = taking(t.Annotated[Sent, Form()])
        read = post(view, {"address": '{"address": {"city": "Bonn"}}'})
        assert read.json["x"] == {"address": {"city": "Bonn"}}
        refused = post(view, {"address": "Bonn"})
        assert refusals(refused) == [(["form", "address"], "json_invalid")]

    def test_a_file_of_another_type_is_not_given_to_a_function(self):
        called = []
        tp = t.Annotated[UploadFile, BeforeValidator(lambda file: called.append(file))]
        view = taking(t.Annotated[tp, File(content_type="image/png")])
        refused = post(view, {"x": a_file("one", "a.txt", "text/plain")})

        assert refusals(refused) == [(["file", "x"], "content_type")]
        assert called == []
