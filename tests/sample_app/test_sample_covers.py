from __future__ import annotations

import io

import pytest
from client import message_of, refusals

pytestmark = pytest.mark.once

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20

DETAILS = {"book_id": 1, "media_type": "image/png", "caption": "", "size": 28}


def form(content: bytes, **fields: str) -> dict[str, object]:
    # The bytes decide, whatever the name and the type are.
    return {**fields, "image": (io.BytesIO(content), "../../cover.html", "image/gif")}


def test_a_cover_is_uploaded_and_shown(bookseller):
    upload = bookseller.put("/books/1/cover", data=form(PNG, caption="First edition"))
    shown = bookseller.get("/books/1/cover")
    details = bookseller.get("/books/1/cover/details")

    expected = {**DETAILS, "caption": "First edition"}
    assert (upload.status_code, upload.location) == (201, "/books/1/cover")
    assert upload.get_json() == expected
    assert (shown.status_code, shown.mimetype, shown.data) == (200, "image/png", PNG)
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert (details.status_code, details.get_json()) == (200, expected)


def test_a_cover_that_has_not_changed_is_not_sent_again(bookseller):
    bookseller.put("/books/1/cover", data=form(PNG))
    etag = bookseller.get("/books/1/cover").headers["ETag"]
    same = bookseller.get("/books/1/cover", headers={"If-None-Match": etag})
    bookseller.put("/books/1/cover", data=form(b"GIF89a"))
    other = bookseller.get("/books/1/cover", headers={"If-None-Match": etag})

    assert (same.status_code, same.data) == (304, b"")
    assert (other.status_code, other.data) == (200, b"GIF89a")


PICTURES = {
    "PNG": (PNG, "image/png"),
    "JPEG": (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
    "GIF of 1987": (b"GIF87a\1\0\1\0", "image/gif"),
    "GIF of 1989": (b"GIF89a\1\0\1\0", "image/gif"),
    "WebP": (b"RIFF\x1a\0\0\0WEBPVP8L", "image/webp"),
}


@pytest.mark.parametrize(("content", "media_type"), PICTURES.values(), ids=PICTURES)
def test_a_picture_is_known_by_what_it_holds(bookseller, content, media_type):
    bookseller.put("/books/1/cover", data=form(content))

    assert bookseller.get("/books/1/cover").mimetype == media_type


def test_a_cover_replaces_the_one_before(bookseller):
    bookseller.put("/books/1/cover", data=form(PNG, caption="Old"))
    response = bookseller.put("/books/1/cover", data=form(b"GIF89a"))

    details = {**DETAILS, "media_type": "image/gif", "size": 6}
    assert (response.status_code, response.get_json()) == (200, details)
    assert bookseller.get("/books/1/cover").data == b"GIF89a"


@pytest.mark.parametrize("content", [b"", b"RIFF\0\0\0\0WAVE", b"<svg onload='x'/>"])
def test_what_is_no_picture_is_refused(bookseller, content):
    response = bookseller.put("/books/1/cover", data=form(content))

    problem = {
        "loc": ["file", "image"],
        "msg": "The file should be a GIF, JPEG, PNG or WebP picture",
        "type": "value_error",
    }
    assert response.status_code == 422
    assert response.get_json() == {"detail": [problem]}


def test_what_is_sent_as_something_else_is_refused(bookseller):
    image = (io.BytesIO(PNG), "cover.svg", "image/svg+xml")
    response = bookseller.put("/books/1/cover", data={"image": image})

    assert response.status_code == 422
    assert response.get_json()["detail"][0]["loc"] == ["file", "image"]


def test_a_form_without_an_image_is_refused(bookseller):
    form = {"caption": "x" * 201}
    response = bookseller.put(
        "/books/1/cover", data=form, content_type="multipart/form-data"
    )

    assert refusals(response) == [
        (["file", "image"], "missing"),
        (["form", "caption"], "string_too_long"),
    ]


def test_a_picture_that_is_too_large_is_refused(bookseller):
    sent = {"data": PNG * 100_000, "content_type": "multipart/form-data; boundary=x"}

    assert message_of(bookseller.put("/books/1/cover", **sent))[0] == 413


def test_an_unknown_book_gets_no_cover(bookseller):
    response = bookseller.put("/books/900/cover", data=form(PNG))

    assert message_of(response) == (404, "There is no book 900.")


def test_a_cover_is_removed(bookseller):
    bookseller.put("/books/1/cover", data=form(PNG))
    response = bookseller.delete("/books/1/cover")
    gone = bookseller.get("/books/1/cover")

    assert (response.status_code, response.data) == (204, b"")
    assert message_of(gone) == (404, "Book 1 has no cover.")
