"""What a request sends for a scheme."""

from __future__ import annotations

import logging
import re
import time
import typing as t
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

from flask_signature.security import (
    MALFORMED,
    APIKey,
    HTTPBasic,
    HTTPBearer,
    OAuth2,
    OAuthFlow,
    OpenIDConnect,
)

BASIC = HTTPBasic("basic")
BEARER = HTTPBearer("token")
TOKEN_SCHEMES = (
    BEARER,
    OAuth2("login", password=OAuthFlow(token_url="https://login.test/token")),
    OpenIDConnect("open_id", "https://login.test"),
)
HEADER = APIKey("header", "X-Key")
QUERY = APIKey("query", "key", "query")
COOKIE = APIKey("cookie", "sid", "cookie")

Scheme: t.TypeAlias = t.Any


def request_with(**environ: str) -> Request:
    """A request as a server hands it over: strings of bytes, in any order."""
    return Request({**EnvironBuilder().get_environ(), **environ})


def basic(text: str | bytes) -> str:
    sent = text.encode() if isinstance(text, str) else text
    return f"Basic {b64encode(sent).decode()}"


#: What is no header with a token, and of another scheme neither.
BROKEN_TOKENS: t.Final = [
    *("", "  ", "\t", "Bearer", "Bearer ", "Bearer\tabc", "Bearer a b", "Bearer a\tb"),
    *("Bearer a,b", "Bearer abc, Bearer def", 'Bearer "abc"', "Bearer a\x00b"),
    *("Bearer a\x7f", "Bearer abc\n", "Bearer a\xe9", "Bearer a\x85b", "Bearer,abc"),
    *("=abc", "\xe9 abc"),
]


@pytest.mark.parametrize("scheme", TOKEN_SCHEMES, ids=["bearer", "oauth2", "openid"])
@pytest.mark.parametrize(
    ("header", "sent"),
    [
        ("Bearer abc", ("abc",)),
        ("bearer abc", ("abc",)),
        ("BEARER abc", ("abc",)),
        ("Bearer   abc", ("abc",)),
        (" Bearer abc ", ("abc",)),
        ("\tBearer abc\t", ("abc",)),
        ("Bearer a.b-c_d~e+f/g==", ("a.b-c_d~e+f/g==",)),
        ("Basic YTpi", None),
        ('Digest username="a"', None),
        ("Digest", None),
        ("Bearerabc", None),
        ("abc", None),
        ("Basic YTpi, Bearer abc", None),
        *((header, MALFORMED) for header in BROKEN_TOKENS),
    ],
    ids=repr,
)
def test_token_is_read_from_authorization(scheme, header, sent):
    request = request_with(HTTP_AUTHORIZATION=header)
    assert scheme.read_credentials(request) == sent


ENVIRON: t.Final = {
    BASIC: "HTTP_AUTHORIZATION",
    HEADER: "HTTP_X_KEY",
    QUERY: "QUERY_STRING",
    COOKIE: "HTTP_COOKIE",
}

#: What is no password, and no key, by what it is sent for.
BROKEN: t.Final = {
    BASIC: [
        *("Basic", "Basic ", "", basic("ann"), basic(b"ann:\xff")),
        *(basic(b"\xed\xa0\x80:a"), basic("ann:a\x00"), basic("a\nb:c")),
        *(basic("ann:\x7f"), "Basic YTpi YTpi", "Basic YTpi,YTpi", "Basic YT pi"),
        *("Basic YTpi!", "Basic YTo", "Basic YTo===", "Basic YTo=YTo=", "Basic YTp="),
        *("Basic =YTpi", "Basic Pz4_Og==", "Basic \xe9"),
    ],
    HEADER: [*("", "   ", "\t", "a\tb", "a\n", "a\x00", "\x7f", "\xe9")],
    QUERY: [
        *("key=", "key", "key=+%20", "key=a&key=b", "key=a&key=a", "key=a&key="),
        *("key=%00", "key=a%0Ab", "key=%C3%A9", "key=\xc3\xa9", "key=abc&x=\xff"),
    ],
    COOKIE: [
        *("sid=", "sid", 'sid=" "', "sid=a; sid=b", "sid=a; sid=a", r'sid="\303\251"'),
        *(r'sid="a\012b"', "sid=a\x00", "sid=\xff"),
    ],
}


@pytest.mark.parametrize(
    ("scheme", "value", "sent"),
    [
        (BASIC, basic("ann:s3cret"), ("ann", "s3cret")),
        (BASIC, basic("ann:s3cret").replace("Basic", "bAsIc"), ("ann", "s3cret")),
        (BASIC, basic("ann:a:b"), ("ann", "a:b")),
        (BASIC, basic("ann:"), ("ann", "")),
        (BASIC, basic(":secret"), ("", "secret")),
        (BASIC, basic(" ann : secret "), (" ann ", " secret ")),
        (BASIC, basic("zoë:pässwört€"), ("zoë", "pässwört€")),
        (BASIC, "Bearer abc", None),
        (HEADER, "abc", ("abc",)),
        (HEADER, 'a b, "c" ; d=e\'', ('a b, "c" ; d=e\'',)),
        (HEADER, " abc ", (" abc ",)),
        (QUERY, "key=abc", ("abc",)),
        (QUERY, "a=1&key=abc&b=2", ("abc",)),
        (QUERY, "key=a%20b+c", ("a b c",)),
        (QUERY, "key=%20abc", (" abc",)),
        (QUERY, "", None),
        (QUERY, "Key=abc", None),
        (COOKIE, "sid=abc", ("abc",)),
        (COOKIE, "a=1; sid=abc; b=2", ("abc",)),
        (COOKIE, 'sid="a b"', ("a b",)),
        (COOKIE, "a=1", None),
        (COOKIE, "", None),
        (COOKIE, "SID=abc", None),
        *((scheme, x, MALFORMED) for scheme in BROKEN for x in BROKEN[scheme]),
    ],
    ids=lambda item: "" if item in ENVIRON else repr(item),
)
def test_password_or_key_is_read(scheme: Scheme, value, sent):
    request = request_with(**{ENVIRON[scheme]: value})
    assert scheme.read_credentials(request) == sent


@pytest.mark.parametrize(
    "scheme", [*TOKEN_SCHEMES, BASIC, HEADER, QUERY, COOKIE], ids=lambda item: item.name
)
def test_nothing_sent_is_none(scheme):
    assert scheme.read_credentials(request_with()) is None


WORDS = (
    *("Bearer", "basic", "key", "sid", "abc", "YTpi", "YTo=", "%00", "%C3", "%20"),
    *'=&;,"+\\ \t\x00\n\xff',
)

#: Strings as a server hands them over, most of them almost right.
WSGI_STRINGS = st.one_of(
    st.text(st.characters(max_codepoint=255)),
    st.lists(st.sampled_from(WORDS)).map("".join),
    st.binary().map(lambda sent: basic(sent)),
)

VISIBLE = re.compile(r"[!#-+\--~]+")
PRINTABLE = re.compile(r"[ -~]*[!-~][ -~]*")


@given(header=WSGI_STRINGS, query=WSGI_STRINGS, cookie=WSGI_STRINGS, key=WSGI_STRINGS)
def test_whatever_is_sent_is_a_credential_or_is_not(header, query, cookie, key):
    request = request_with(
        HTTP_AUTHORIZATION=header,
        HTTP_COOKIE=cookie,
        HTTP_X_KEY=key,
        QUERY_STRING=query,
    )
    for alphabet, schemes in (
        (VISIBLE, TOKEN_SCHEMES),
        (PRINTABLE, (HEADER, QUERY, COOKIE)),
    ):
        for scheme in schemes:
            sent = scheme.read_credentials(request)
            if sent is not None and sent is not MALFORMED:
                (value,) = sent
                assert alphabet.fullmatch(value)
    sent = BASIC.read_credentials(request)
    if sent is not None and sent is not MALFORMED:
        username, password = sent
        assert ":" not in username
        assert not re.search(r"[\x00-\x1f\x7f]", username + password)
        assert basic(f"{username}:{password}").split()[1] in header


@given(
    username=st.text(st.characters(exclude_categories=["Cs", "Cc"])),
    password=st.text(st.characters(exclude_categories=["Cs", "Cc"])),
)
def test_every_password_that_may_be_sent_arrives(username, password):
    username = username.replace(":", "")
    header = basic(f"{username}:{password}")
    request = request_with(HTTP_AUTHORIZATION=header)
    assert BASIC.read_credentials(request) == (username, password)


SIZE = 200_000


@pytest.mark.parametrize(
    "environ",
    [
        {"HTTP_AUTHORIZATION": "Bearer" + " " * SIZE},
        {"HTTP_AUTHORIZATION": "Bearer" + " " * SIZE + "a b"},
        {"HTTP_AUTHORIZATION": "Bearer " + "a" * SIZE + ","},
        {"HTTP_AUTHORIZATION": "a" * SIZE + "\x00"},
        {"HTTP_AUTHORIZATION": "Basic " + "A" * SIZE + "!"},
        {"HTTP_AUTHORIZATION": basic("a:" * SIZE)},
        {"HTTP_X_KEY": " " * SIZE},
        {"HTTP_X_KEY": " " * SIZE + "\x00"},
        {"QUERY_STRING": "key=a&" * (SIZE // 6)},
        {"QUERY_STRING": "key=" + "%" * SIZE},
        {"HTTP_COOKIE": "sid=a;" * (SIZE // 6)},
        {"HTTP_COOKIE": "sid=" + " " * SIZE + '"x'},
        {"HTTP_COOKIE": "sid=" + "\t" * SIZE + '"x'},
        {"HTTP_COOKIE": ("a=" + " " * 90 + '"x;') * (SIZE // 100)},
        {"HTTP_COOKIE": 'sid="' + "\\" * SIZE},
        {"HTTP_COOKIE": 'sid="' * (SIZE // 5)},
    ],
    ids=lambda environ: next(iter(environ.values()))[:20],
)
def test_large_values_are_read_in_no_time(environ):
    request = request_with(**environ)
    begin = time.process_time()
    for scheme in (BEARER, BASIC, HEADER, QUERY, COOKIE):
        scheme.read_credentials(request)
    assert time.process_time() - begin < 1


def test_no_credential_is_shown(caplog, capsys):
    caplog.set_level(logging.DEBUG)
    secrets = request_with(
        HTTP_AUTHORIZATION="Bearer S3CR3T S3CR3T",
        HTTP_COOKIE="sid=S3CR3T\x00",
        HTTP_X_KEY="S3CR3T\x00",
        QUERY_STRING="key=S3CR3T&key=S3CR3T",
    )
    for scheme in (*TOKEN_SCHEMES, HEADER, QUERY, COOKIE):
        sent = scheme.read_credentials(secrets)
        assert sent is MALFORMED
        assert "S3CR3T" not in repr(sent) + repr(scheme) + str(scheme.challenge())
    assert "S3CR3T" not in caplog.text + "".join(capsys.readouterr())
