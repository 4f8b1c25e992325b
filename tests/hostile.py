"""Requests that no honest client sends, by class; the same ones on every run.

A request is written as it reaches the application under WSGI: the path and the query
are bytes as latin-1 text, headers may be anything, and a body may lie about itself.
"""

from __future__ import annotations

import io
import json
import typing as t
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version

#: Part of every text that must not come back.
SECRET = "S3CR3T"

JSON = "application/json"
URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=B"


@dataclass(frozen=True)
class Attack:
    """One request, as a server would hand it over.

    :param environ: what it puts into the WSGI environment beside the usual.
    """

    method: str = "GET"
    path: str = "/query"
    query: str = ""
    content_type: str | None = None
    body: bytes = b""
    environ: dict[str, t.Any] = field(default_factory=dict)

    def as_environ(self) -> dict[str, t.Any]:
        """The WSGI environment of the request. Source: PEP 3333."""
        environ: dict[str, t.Any] = {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": self.path,
            "QUERY_STRING": self.query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(self.body),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "CONTENT_LENGTH": str(len(self.body)) if self.body else "",
        }
        if self.content_type is not None:
            environ["CONTENT_TYPE"] = self.content_type
        return {**environ, **self.environ}


CLASSES: dict[str, Callable[[], Iterator[Attack]]] = {}


def attacks(make: Callable[[], Iterator[Attack]]) -> Callable[[], Iterator[Attack]]:
    """Add a class of requests, under the name of the function that makes them."""
    CLASSES[make.__name__] = make
    return make


#: Texts that something between the socket and the view may stumble over.
TEXTS = (
    *("", " ", SECRET, "\x00", f"{SECRET}\x00", "\x7f\x80", "\xff\xfe", "\xc3\x28"),
    *("\xed\xa0\x80", "\xf8\xa1\xa1\xa1\xa1", "\xe2\x80\xae"),
    # Numbers.
    *("NaN", "-Infinity", "1e999", "1_000", "0x1F", "\xd9\xa1\xd9\xa2", "+1", "--1"),
    *("1" * 5000, f"-{'9' * 5000}", f"0.{'1' * 5000}", "a" * 20_000, "A" * 3000 + "!"),
    # Dates and times.
    *("0000-01-01", "10000-01-01", "9999-12-31T23:59:59.999999999999Z", "1e20"),
    *("P999999999999D", "-P999999999Y", "99999999999:00"),
    # What means something elsewhere.
    *("{{7*7}}", "../../etc/passwd", "' OR 1=1 --", "<script>", "%s%n%x"),
    *("null", "[]", '{"a":1}'),
)

#: The arguments of the view ``/query``, and with the same types of other locations.
NAMES = ("n", "f", "b", "s", "word", "day", "at", "span", "price", "key", "kind", "l")


def _quote(text: str) -> str:
    """A text with every byte escaped."""
    return "".join(f"%{ord(character):02X}" for character in text)


@attacks
def texts_in_the_query() -> Iterator[Attack]:
    for text in TEXTS:
        query = "&".join(f"{name}={_quote(text)}" for name in NAMES)
        yield Attack(query=query)


@attacks
def raw_bytes_in_the_query() -> Iterator[Attack]:
    for text in TEXTS:
        yield Attack(query=f"n={text}")
        yield Attack(query=f"{text}={text}")


@attacks
def escapes_of_the_query() -> Iterator[Attack]:
    for text in ("%", "%%", "%G1", "%1", "%u0041", "%C3", "%00", "%ED%A0%80", "%FF%FE"):
        yield Attack(query=text)
        yield Attack(query=f"n={text}")
        yield Attack(query=f"{text}=1")
        yield Attack(query=f"l=1&l={text}")
        yield Attack(query=f"n=1{text}&={text}")


SHAPES = (
    *("&", "=", "&&&", "===", "n", "n=1=2"),
    *(";n=1", "n[]=1", "n[a]=1", "n.a=1", "?n=1"),
)


@attacks
def shapes_of_the_query() -> Iterator[Attack]:
    for query in SHAPES:
        yield Attack(query=query)
    yield Attack(query="&" * 50_000)
    yield Attack(query="n=1&" * 5_000)
    yield Attack(query="l=x&" * 5_000)
    yield Attack(path="/closed", query="&".join(f"{SECRET}{i}=1" for i in range(5_000)))
    yield Attack(path="/closed", query=f"{SECRET * 10_000}=1")
    yield Attack(query="&".join(f"l={number}" for number in range(10_000)))


#: Before, Werkzeug itself failed to convert an integer of thousands of digits.
WERKZEUG_CONVERTS = tuple(map(int, version("werkzeug").split("."))) >= (3, 1, 9)


@attacks
def texts_in_the_path() -> Iterator[Attack]:
    for text in TEXTS:
        for kind in ("text", "int", "float", "uuid", "number", "day"):
            if kind != "int" or not text.isdigit() or WERKZEUG_CONVERTS:
                yield Attack(path=f"/path/{kind}/{text}")


NEGOTIATION = ("ACCEPT", "ACCEPT_LANGUAGE", "RANGE", "IF_NONE_MATCH", "AUTHORIZATION")
BASIC = f"Basic {SECRET}"


@attacks
def texts_in_headers() -> Iterator[Attack]:
    for text in TEXTS:
        yield Attack(
            path="/header", environ={f"HTTP_X_{name.upper()}": text for name in NAMES}
        )
    yield Attack(path="/header", environ={"HTTP_X_L": "," * 20_000})
    yield Attack(path="/header", environ={"HTTP_X_L": '"' * 2_000})
    yield Attack(path="/header", environ={"HTTP_X_L": '"\\' * 2_000})
    yield Attack(path="/header", environ={"HTTP_X_L": "1," * 5_000})
    many = {f"HTTP_{SECRET}_{number}": SECRET for number in range(2_000)}
    yield Attack(path="/header", environ=many)
    for name in NEGOTIATION:
        for text in ("", ",", ";;;q=", "\xff", "*/*;q=NaN", BASIC, "a" * 5_000):
            yield Attack(path="/header", environ={f"HTTP_{name}": text})


COOKIES = (
    *(";", "=", "==;=", "n", '"n"=1', 'n="1', 'n="\\', r'n="\777"', r'n="\0"', "n = 1"),
)


@attacks
def cookies() -> Iterator[Attack]:
    for text in TEXTS:
        line = "; ".join(f"{name}={text}" for name in NAMES)
        yield Attack(path="/cookie", environ={"HTTP_COOKIE": line})
    for line in COOKIES:
        yield Attack(path="/cookie", environ={"HTTP_COOKIE": line})
        yield Attack(path="/closed-cookie", environ={"HTTP_COOKIE": line})
    yield Attack(path="/cookie", environ={"HTTP_COOKIE": "n=1;" * 5_000})
    many = ";".join(f"{SECRET}{number}=1" for number in range(3_000))
    yield Attack(path="/closed-cookie", environ={"HTTP_COOKIE": many})


DOCUMENTS = (
    *(b"", b" ", b"{", b"}", b"null", b"true", b"0", b'""', b"[]", b"{}", b"[[]]"),
    # Numbers that JSON does not have, or no program holds.
    *(b"NaN", b"[Infinity]", b'{"price": NaN}', b'{"price": -Infinity}'),
    *(b'{"price": 1e999}', b'{"name": "a", "price": 1e-999}'),
    # Surrogates, and names that come twice.
    *(b'{"name": "\\ud800"}', b'{"name": "\\ud800\\ud800", "price": 1}'),
    *(b'{"\\ud800": 1}', b'{"name": "\\u0000", "price": 1}'),
    b'{"name": "a", "name": 1, "price": 1, "price": "x"}',
    # Other encodings.
    *(b"\xef\xbb\xbf{}", b"\xff\xfe{\x00}\x00", '{"name": "é"}'.encode("utf-16")),
    *('{"name": "é"}'.encode("utf-32"), '{"name": "é"}'.encode("latin-1")),
    *(b'{"name": "\xc3\x28"}', b'{"name": "\xed\xa0\x80"}', b"\x00", b"{}\x00"),
    # What is nearly JSON.
    *(b"{} {}", b"{}x", b"{'name': 'a'}", b'{"name": "a",}', b"// a\n{}"),
    *(b'{"a": \x01}', b'"\x01"'),
    # Depth and length.
    *(b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 50_000),
    b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    b'{"count": ' + b"1" * 5_000 + b"}",
    b'{"price": ' + b"1" * 5_000 + b"}",
    b'{"price": 0.' + b"1" * 100_000 + b"}",
    b'{"count": 1e5000}',
    b'{"count": "' + b"1" * 5_000 + b'"}',
    b'{"name": "' + b"a" * 200_000 + b'"}',
    b'{"' + SECRET.encode() * 10_000 + b'": 1}',
    # Dates, durations and strings that a model refuses.
    *(b'{"day": "0000-01-01"}', b'{"day": 1e30}', b'{"day": -99999999999999}'),
    *(b'{"span": 1e30}', b'{"span": "P999999999999D"}'),
    b'{"span": 99999999999999999999}',
    b'{"key": "' + b"0" * 10_000 + b'"}',
    b'{"word": "' + b"a" * 10_000 + b'!"}',
    b'{"tags": {"a": {"a": {"a": []}}}}',
    b'{"tags": [' + b"1," * 50_000 + b"1]}",
    b"[" + b"{}," * 50_000 + b"{}]",
    b"[" + b"1," * 50_000 + b"1]",
    json.dumps({f"{SECRET}{number}": SECRET for number in range(2_000)}).encode(),
    json.dumps({"name": [SECRET], "price": SECRET, "count": {SECRET: SECRET}}).encode(),
    json.dumps({"kind": SECRET}).encode(),
)

BODIES = ("/body", "/list", "/keys", "/union", "/any", "/raw", "/text", "/optional")


@attacks
def documents() -> Iterator[Attack]:
    for document in DOCUMENTS:
        for path in BODIES[:6] if len(document) < 20_000 else BODIES[:2]:
            yield Attack("POST", path, content_type=JSON, body=document)


CONTENT_TYPES = (
    *(None, "", " ", "/", "application", "application/"),
    *("application/json,application/json", "application/json; charset"),
    *("application/json; charset=", "application/json; charset=utf-7"),
    *("application/json; charset=rot13", "application/json; charset=\x00"),
    *("application/json; charset=utf-16", 'application/json; charset="'),
    *("application/json;" * 1_000, "application/+json", "application/x+json+json"),
    *("APPLICATION/JSON", "application/json\x00", "\xff/\xff"),
    *("text/plain", "text/plain; charset=zip", "text/plain; charset=idna"),
    *("text/plain; charset=unicode_escape", f"text/plain; charset={SECRET}"),
    *("text/html", URLENCODED, f"{URLENCODED}; charset=utf-16"),
    *("multipart/form-data", "multipart/form-data; boundary="),
    *('multipart/form-data; boundary="', "multipart/form-data; boundary=\xff"),
    f"multipart/form-data; boundary={'b' * 1_000_000}",
    *("multipart/mixed; boundary=B", f"x/{SECRET * 1_000}", "*/*"),
)

FORMS = ("/form", "/closed-form", "/file", "/files", "/mixed")


@attacks
def content_types() -> Iterator[Attack]:
    for content_type in CONTENT_TYPES:
        for path in BODIES + FORMS:
            yield Attack("POST", path, content_type=content_type, body=b'{"n": 1}')
            yield Attack("POST", path, content_type=content_type)


LENGTHS = ("", "-1", "x", "1e3", "99999999999999999999", "\xb2", "0", " 2", "2 ")


@attacks
def lies_about_the_body() -> Iterator[Attack]:
    for path, kind in (("/body", JSON), ("/form", URLENCODED), ("/file", MULTIPART)):
        lie = partial(Attack, "POST", path, content_type=kind)
        for length in LENGTHS:
            yield lie(body=b"{}", environ={"CONTENT_LENGTH": length})
        for coding in ("gzip", "br", "identity, gzip", SECRET):
            yield lie(body=b"\x1f", environ={"HTTP_CONTENT_ENCODING": coding})
        for coding in ("chunked", "gzip, chunked", SECRET):
            environ = {"HTTP_TRANSFER_ENCODING": coding, "CONTENT_LENGTH": ""}
            yield lie(body=b"{}", environ=environ)


@attacks
def urlencoded_forms() -> Iterator[Attack]:
    for text in TEXTS:
        body = "&".join(f"{name}={_quote(text)}" for name in NAMES).encode()
        for path in FORMS:
            yield Attack("POST", path, content_type=URLENCODED, body=body)
        raw = f"n={text}&{text}={text}".encode("latin-1")
        yield Attack("POST", "/closed-form", content_type=URLENCODED, body=raw)
    separators = (b"&" * 50_000, b"n=1&" * 900, b"%" * 10_000, b"=" * 10_000)
    for body in (*separators, b"\xff" * 100):
        yield Attack("POST", "/form", content_type=URLENCODED, body=body)


def part(name: str, content: bytes, *more: str, headers: str = "") -> bytes:
    """One part of a multipart body; ``more`` are parameters of its disposition."""
    parameters = "; ".join(["form-data", f'name="{name}"', *more])
    head = f"--B\r\nContent-Disposition: {parameters}\r\n{headers}\r\n"
    return head.encode("latin-1") + content + b"\r\n"


PLAIN = "Content-Type: text/plain"
END = b"--B--\r\n"

PARTS = (
    b"",
    b"--B",
    b"--B--",
    b"\r\n--B--\r\n",
    b"--B\r\n\r\n--B--\r\n",
    b"--B\r\n" * 500 + END,
    part("f", b"x"),
    part("f", b"x") + END,
    part("f", SECRET.encode(), 'filename="a.txt"'),
    part("f", SECRET.encode(), 'filename="a.txt"') + END,
    part("f", b"", 'filename=""') + END,
    part("n", SECRET.encode()) + END,
    part("n", b"1", 'filename="n"') + END,
    part("n", b"\xff\xfe", headers=f"{PLAIN}; charset=utf-16\r\n") + END,
    part("n", b"1", headers=f"{PLAIN}; charset=rot13\r\n") + END,
    part("n", b"MQ==", headers="Content-Transfer-Encoding: base64\r\n") + END,
    part("n", b"1", headers="X: " + "a" * 20_000 + "\r\n") + END,
    part("n", b"1", headers="no colon\r\n") + END,
    part("n" * 10_000, b"1") + END,
    part("\x00", b"\x00", 'filename="\x00"') + END,
    part("\xff", b"\xff", 'filename="\xff"') + END,
    part("f", b"x", "filename*=utf-8''%ff%fe") + END,
    part("f", b"x", "filename*=rot13''a") + END,
    part("f", b"x", 'filename="../../etc/passwd"') + END,
    part("point", b"{") + END,
    part("point", b'{"x": "' + SECRET.encode() + b'"}') + END,
    part("point", b"[" * 100_000) + END,
    part("point", b"1" * 5_000) + END,
    b"--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n" + END,
    b"--B\r\nContent-Disposition: attachment; name=f\r\n\r\nx\r\n" + END,
    b"--B\r\n\r\nx\r\n" + END,
    b"--B\nContent-Disposition: form-data; name=f\n\nx\n--B--",
    b"".join(part("n", b"1") for _ in range(900)) + END,
    b"".join(part("f", b"1", "filename=a") for _ in range(900)) + END,
    b"".join(part(f"{SECRET}{i}", b"1") for i in range(900)) + END,
    b"".join(part("n", b"1") for _ in range(1_100)) + END,
    b"x" * 1_000_000,
    part("f", b"x" * 1_000_000, "filename=a") + END,
    part("n", b"x" * 1_000_000) + END,
)


@attacks
def multipart_forms() -> Iterator[Attack]:
    for body in PARTS:
        for path in FORMS if len(body) < 500_000 else FORMS[:1]:
            yield Attack("POST", path, content_type=MULTIPART, body=body)
    boundary = "b" * 1_000
    kind = f"multipart/form-data; boundary={boundary}"
    yield Attack("POST", "/form", content_type=kind, body=f"--{boundary}--".encode())


METHODS = ("HEAD", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "G\xffT", "", SECRET)


@attacks
def methods() -> Iterator[Attack]:
    for method in METHODS:
        for path in ("/query", "/body", "/form", "/path/int/1", "/nowhere"):
            yield Attack(method, path, content_type=JSON, body=b"{}")
    for override in ("PUT", SECRET):
        environ = {"HTTP_X_HTTP_METHOD_OVERRIDE": override}
        yield Attack("POST", "/body", content_type=JSON, body=b"{}", environ=environ)


HOSTS = ("", " ", "a b", "\xff", "a" * 5_000, "[::1", "localhost:x", "<x>", "a/b")


@attacks
def hosts() -> Iterator[Attack]:
    for host in HOSTS:
        yield Attack(environ={"HTTP_HOST": host})
        yield Attack(path="/nowhere", environ={"HTTP_HOST": host})
