from __future__ import annotations

import json

import pytest
from client import message_of, refusals
from flask.testing import FlaskClient

pytestmark = pytest.mark.once

FAUST = {
    "id": 51,
    "title": "Faust",
    "year": 1808,
    "author": {"id": 35, "name": "Johann Wolfgang von Goethe"},
    "tags": ["philosophy", "play", "tragedy"],
    "price_cents": 690,
    "language": "de",
    "stock": 7,
}

PERSUASION = {
    "title": "Persuasion",
    "author_id": 1,
    "year": 1817,
    "tags": ["novel", "romance"],
    "price_cents": 790,
    "stock": 3,
}


def titles(client: FlaskClient, query: str) -> list[str]:
    answer = client.get(f"/books?{query}").get_json()
    return [book["title"] for book in answer["items"]]


def page_of(*items: object) -> dict[str, object]:
    return {"items": [*items], "total": len(items), "page": 1, "per_page": 20}


SUMMARY = {key: FAUST[key] for key in FAUST if key not in {"language", "stock"}}
BRONTES = [{"id": 4, "name": "Charlotte Brontë"}, {"id": 5, "name": "Emily Brontë"}]
HOMER = {
    "id": 39,
    "name": "Homer",
    "born": None,
    "died": None,
    "books": [
        {"id": 55, "title": "The Iliad", "year": -750},
        {"id": 56, "title": "The Odyssey", "year": -725},
    ],
}
READ = {
    "books are listed as a page of summaries": ("/books?q=faust", page_of(SUMMARY)),
    "a book is shown with its author and tags": ("/books/51", FAUST),
    "authors are listed by name": ("/authors?q=bront", page_of(*BRONTES)),
    "an author is shown with their books": ("/authors/39", HOMER),
}


@pytest.mark.parametrize(("path", "shown"), READ.values(), ids=READ)
def test_strangers_read_the_catalogue(client, path, shown):
    response = client.get(path)

    assert (response.status_code, response.get_json()) == (200, shown)


def test_an_id_that_no_database_keeps_is_refused(client):
    impossible = client.get(f"/books/{2**31}")

    assert refusals(impossible) == [(["path", "book_id"], "less_than_equal")]
    assert impossible.get_json()["detail"][0]["ctx"] == {"le": 2**31 - 1}


def test_pages_cut_the_list_without_overlap(client):
    pages = [client.get(f"/books?per_page=25&page={n}").get_json() for n in (1, 2, 3)]

    assert [len(page["items"]) for page in pages] == [25, 25, 9]
    assert {page["total"] for page in pages} == {59}
    found = {book["id"] for page in pages for book in page["items"]}
    assert found == set(range(1, 60))


POEMS = ["Paradise Lost", "The Divine Comedy", "The Odyssey", "The Iliad"]
CHEAP = [
    *("The Importance of Being Earnest", "Romeo and Juliet"),
    "Strange Case of Dr Jekyll and Mr Hyde",
]
FILTERED = {
    "books with both tags": ("tag=poetry&tag=epic&sort=-year", POEMS),
    "an author's books": ("author_id=7", ["Middlemarch"]),
    "by language": ("language=ja", ["The Tale of Genji"]),
    "by years before and after the common era": (
        "year_from=-600&year_to=500&sort=year",
        ["The Art of War", "Meditations"],
    ),
    "in stock, of one price in the order of their ids": (
        "year_to=500&in_stock=yes&sort=-price",
        ["The Iliad", "The Odyssey", "The Art of War"],
    ),
    "by price": ("max_price_cents=480&sort=price", CHEAP),
    "a wildcard is a character like others": ("q=%25", []),
    "no book at all": ("year_from=2000&year_to=1000", []),
}


@pytest.mark.parametrize(("query", "expected"), FILTERED.values(), ids=FILTERED)
def test_books_are_filtered_and_sorted(client, query, expected):
    assert titles(client, query) == expected


def test_a_refused_filter_is_explained(client):
    response = client.get("/books?page=0&sort=best&colour=red")

    sorts = "'title', '-title', 'year', '-year', 'price' or '-price'"
    assert refusals(response) == [
        (["query", "page"], "greater_than_equal"),
        (["query", "sort"], "literal_error"),
        (["query", "colour"], "extra_forbidden"),
    ]
    assert response.get_json()["detail"][1]["ctx"] == {"expected": sorts}


def test_a_book_that_cannot_be_kept_is_refused(bookseller):
    author = bookseller.post("/books", json={**PERSUASION, "author_id": 500})
    # PostgreSQL keeps no such text.
    text = bookseller.post("/books", json={**PERSUASION, "title": "a\0b"})

    assert message_of(author) == (404, "There is no author 500.")
    assert refusals(text) == [(["body", "title"], "string_pattern_mismatch")]


def test_a_book_that_has_not_changed_is_not_sent_again(client):
    etag = client.get("/books/51").headers["ETag"]
    response = client.get("/books/51", headers={"If-None-Match": etag})

    assert (response.status_code, response.data) == (304, b"")
    assert response.headers["ETag"] == etag


def test_the_catalogue_is_exported_a_book_to_a_line(client):
    response = client.get("/books/export")

    books = [json.loads(line) for line in response.text.splitlines()]
    assert (response.status_code, response.mimetype) == (200, "application/jsonl")
    assert [book["id"] for book in books] == list(range(1, 60))
    assert books[50] == FAUST


def test_tags_are_counted(client):
    response = client.get("/tags")

    assert response.status_code == 200
    assert response.get_json()[:3] == [
        {"name": "novel", "books": 39},
        {"name": "adventure", "books": 13},
        {"name": "children", "books": 8},
    ]


def test_the_staff_adds_an_author_and_a_book(bookseller):
    chekhov = {"name": "Anton Chekhov", "born": 1860}
    author = bookseller.post("/authors", json=chekhov)
    author_id = author.get_json()["id"]
    play = {"title": "The Seagull", "year": 1896, "language": "ru", "price_cents": 1}
    book = bookseller.post("/books", json={**play, "author_id": author_id})

    added = {**chekhov, "id": author_id, "died": None, "books": []}
    assert (author.status_code, author.location) == (201, f"/authors/{author_id}")
    assert author.get_json() == added
    by = {"id": author_id, "name": "Anton Chekhov"}
    expected = {**play, "id": 60, "author": by, "tags": [], "stock": 0}
    assert (book.status_code, book.location) == (201, "/books/60")
    assert bookseller.get(book.location).get_json() == book.get_json() == expected


def test_an_added_book_keeps_its_tags(bookseller):
    added = bookseller.post("/books", json=PERSUASION).get_json()

    assert added["tags"] == ["novel", "romance"]
    assert titles(bookseller, "tag=romance&q=pers") == ["Persuasion"]


def test_a_book_or_an_author_is_added_once(bookseller):
    bookseller.post("/books", json=PERSUASION)
    book = bookseller.post("/books", json=PERSUASION)
    author = bookseller.post("/authors", json={"name": "Homer"})

    assert message_of(book) == (409, "The shop has this book of this author already.")
    assert message_of(author) == (409, "The shop has this author already.")
