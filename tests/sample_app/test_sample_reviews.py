from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from client import message_of, refusals

pytestmark = pytest.mark.once

REVIEW = {"rating": 4, "text": "Read it for the second chapter."}


def test_a_customer_reviews_a_book(reader):
    response = reader.post("/books/51/reviews", json=REVIEW)

    review = response.get_json()
    moment = review["written_at"]
    assert (response.status_code, response.location) == (201, "/books/51/reviews/1")
    expected = {**REVIEW, "id": 1, "reviewer": "reader", "written_at": moment}
    assert reader.get(response.location).get_json() == review == expected
    written_at = datetime.fromisoformat(moment.removesuffix("Z") + "+00:00")
    assert moment.endswith("Z")
    assert abs(datetime.now(timezone.utc) - written_at) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("query", "expected"),
    [("", [2, 5]), ("?sort=best", [5, 2]), ("?min_rating=3", [5])],
    ids=["newest first", "best first", "good ones"],
)
def test_reviews_are_filtered_and_sorted(reader, bookseller, query, expected):
    reader.post("/books/1/reviews", json={"rating": 5, "text": "Five."})
    bookseller.post("/books/1/reviews", json={"rating": 2, "text": "Two."})
    bookseller.post("/books/2/reviews", json={"rating": 1, "text": "Elsewhere."})

    answer = reader.get(f"/books/1/reviews{query}").get_json()
    assert [review["rating"] for review in answer.pop("items")] == expected
    assert answer == {"total": len(expected), "page": 1, "per_page": 20}


def test_a_customer_reviews_a_book_once(reader):
    reader.post("/books/51/reviews", json=REVIEW)
    response = reader.post("/books/51/reviews", json=REVIEW)

    assert message_of(response) == (409, "You have reviewed this book already.")


def test_a_review_is_found_under_its_own_book_only(reader):
    reader.post("/books/51/reviews", json=REVIEW)
    response = reader.get("/books/1/reviews/1")

    assert message_of(response) == (404, "Book 1 has no review 1.")


def test_a_review_is_replaced_by_its_reviewer(reader):
    review = reader.post("/books/51/reviews", json=REVIEW).get_json()
    response = reader.put("/books/51/reviews/1", json={"rating": 5, "text": "Better."})

    assert response.status_code == 200
    assert response.get_json() == {**review, "rating": 5, "text": "Better."}
    assert reader.get("/books/51/reviews/1").get_json() == response.get_json()


def test_a_review_is_removed_by_its_reviewer(reader):
    reader.post("/books/51/reviews", json=REVIEW)
    response = reader.delete("/books/51/reviews/1")

    assert (response.status_code, response.data) == (204, b"")
    assert reader.get("/books/51/reviews/1").status_code == 404


@pytest.mark.parametrize("method", ["put", "delete"])
def test_nobody_touches_a_review_of_somebody_else(reader, bookseller, method):
    reader.post("/books/51/reviews", json=REVIEW)
    # Who may change it is asked before the body is read.
    response = bookseller.open("/books/51/reviews/1", method=method, data="{")

    assert message_of(response) == (403, "Only reader may change this review.")


def test_every_failure_of_a_request_is_reported(reader):
    response = reader.post("/books/0/reviews", json={"rating": 6})

    assert refusals(response) == [
        (["path", "book_id"], "greater_than_equal"),
        (["body", "rating"], "less_than_equal"),
        (["body", "text"], "missing"),
    ]
