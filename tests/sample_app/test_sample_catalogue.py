from __future__ import annotations

import json

import pytest
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
TOO_LARGE = {
    "loc": ["path", "book_id"],
    "msg": "Input should be less than or equal to 2147483647",
    "type": "less_than_equal",
    "ctx": {"le": 2147483647},
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


@pytest.mark.parametrize(
    ("book_id", "status", "problem"),
    [
        (1000, 404, {"message": "There is no book 1000."}),
        # No database keeps such an id.
        (2**31, 422, {"detail": [TOO_LARGE]}),
    ],
)
def test_a_book_that_is_not_there_is_not_shown(client, book_id, status, problem):
    response = client.get(f"/books/{book_id}")

    assert (response.status_code, response.get_json()) == (status, problem)


def test_pages_cut_the_list_without_overlap(client):
    pages = [client.get(f"/books?per_page=25&page={n}").get_json() for n in (1, 2, 3)]

    assert [len(page["items"]) for page in pages] == [25, 25, 9]
    assert {page["total"] for page in pages} == {59}
    found = {book["id"] for page in pages for book in page["items"]}
    assert found == set(range(1, 60))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(
            "tag=poetry&tag=epic&sort=-year",
            ["Paradise Lost", "The Divine Comedy", "The Odyssey", "The Iliad"],
            id="books with both tags",
        ),
        pytest.param("author_id=7", ["Middlemarch"], id="an author's books"),
        pytest.param("language=ja", ["The Tale of Genji"], id="by language"),
        pytest.param(
            "year_from=-600&year_to=500&sort=year",
            ["The Art of War", "Meditations"],
            id="by years before and after the common era",
        ),
        pytest.param(
            "year_to=500&in_stock=yes&sort=-price",
            ["The Iliad", "The Odyssey", "The Art of War"],
            id="in stock, of one price in the order of their ids",
        ),
        pytest.param(
            "max_price_cents=480&sort=price",
            [
                "The Importance of Being Earnest",
                "Romeo and Juliet",
                "Strange Case of Dr Jekyll and Mr Hyde",
            ],
            id="by price",
        ),
        pytest.param("q=%25", [], id="a wildcard is a character like others"),
        pytest.param("year_from=2000&year_to=1000", [], id="no book at all"),
    ],
)
def test_books_are_filtered_and_sorted(client, query, expected):
    assert titles(client, query) == expected


def test_a_refused_filter_is_explained(client):
    response = client.get("/books?page=0&sort=best&colour=red")

    sorts = "'title', '-title', 'year', '-year', 'price' or '-price'"
    assert response.status_code == 422
    assert response.get_json() == {
        "detail": [
            {
                "loc": ["query", "page"],
                "msg": "Input should be greater than or equal to 1",
                "type": "greater_than_equal",
                "ctx": {"ge": 1},
            },
            {
                "loc": ["query", "sort"],
                "msg": f"Input should be {sorts}",
                "type": "literal_error",
                "ctx": {"expected": sorts},
            },
            {
                "loc": ["query", "colour"],
                "msg": "Extra inputs are not permitted",
                "type": "extra_forbidden",
            },
        ]
    }


NOT_KEPT = {
    "loc": ["body", "title"],
    "msg": r"String should match pattern '^[^\x00]*$'",
    "type": "string_pattern_mismatch",
    "ctx": {"pattern": r"^[^\x00]*$"},
}


@pytest.mark.parametrize(
    ("fields", "status", "problem"),
    [
        ({"author_id": 500}, 404, {"message": "There is no author 500."}),
        # PostgreSQL keeps no such text.
        ({"title": "a\0b"}, 422, {"detail": [NOT_KEPT]}),
    ],
    ids=["author", "text"],
)
def test_a_book_that_cannot_be_kept_is_refused(bookseller, fields, status, problem):
    response = bookseller.post("/books", json={**PERSUASION, **fields})

    assert (response.status_code, response.get_json()) == (status, problem)


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
    author = bookseller.post("/authors", json={"name": "Anton Chekhov", "born": 1860})
    author_id = author.get_json()["id"]
    play = {"title": "The Seagull", "author_id": author_id, "year": 1896}
    book = bookseller.post("/books", json={**play, "language": "ru", "price_cents": 1})

    assert (author.status_code, author.location) == (201, f"/authors/{author_id}")
    assert author.get_json() == {
        "id": author_id,
        "name": "Anton Chekhov",
        "born": 1860,
        "died": None,
        "books": [],
    }
    assert (book.status_code, book.location) == (201, "/books/60")
    assert book.get_json() == {
        "id": 60,
        "title": "The Seagull",
        "year": 1896,
        "author": {"id": author_id, "name": "Anton Chekhov"},
        "tags": [],
        "price_cents": 1,
        "language": "ru",
        "stock": 0,
    }
    assert bookseller.get(book.location).get_json() == book.get_json()


def test_an_added_book_keeps_its_tags(bookseller):
    added = bookseller.post("/books", json=PERSUASION).get_json()

    assert added["tags"] == ["novel", "romance"]
    assert titles(bookseller, "tag=romance&q=pers") == ["Persuasion"]


def test_a_book_or_an_author_is_added_once(bookseller):
    bookseller.post("/books", json=PERSUASION)
    book = bookseller.post("/books", json=PERSUASION)
    author = bookseller.post("/authors", json={"name": "Homer"})

    problem = {"message": "The shop has this book of this author already."}
    assert (book.status_code, book.get_json()) == (409, problem)
    problem = {"message": "The shop has this author already."}
    assert (author.status_code, author.get_json()) == (409, problem)


def test_a_customer_may_not_add_books(reader):
    response = reader.post("/books", json=PERSUASION)

    problem = {"message": "The credentials do not allow this."}
    assert (response.status_code, response.get_json()) == (403, problem)


def test_a_stranger_is_refused_before_the_body_is_looked_at(client):
    response = client.post("/books", json={"title": 1})

    assert response.status_code == 401
    assert response.get_json() == {"message": "Credentials are needed."}
    assert response.headers.getlist("WWW-Authenticate") == [
        'APIKey realm="login", name="bookshop_session", in="cookie"',
        'Bearer realm="token"',
    ]
