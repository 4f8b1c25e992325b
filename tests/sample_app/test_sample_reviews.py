from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

pytestmark = pytest.mark.once

REVIEW = {"rating": 4, "text": "Read it for the second chapter."}


def test_a_customer_reviews_a_book(reader):
    response = reader.post("/books/51/reviews", json=REVIEW)

    review = response.get_json()
    assert (response.status_code, response.location) == (201, "/books/51/reviews/1")
    assert review == {
        **REVIEW,
        "id": 1,
        "reviewer": "reader",
        "written_at": review["written_at"],
    }
    assert reader.get(response.location).get_json() == review


def test_the_moment_of_a_review_is_in_utc(reader):
    review = reader.post("/books/51/reviews", json=REVIEW).get_json()

    assert review["written_at"].endswith("Z")
    written_at = datetime.fromisoformat(review["written_at"].replace("Z", "+00:00"))
    assert abs(datetime.now(timezone.utc) - written_at) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("", [2, 5], id="newest first"),
        pytest.param("?sort=best", [5, 2], id="best first"),
        pytest.param("?min_rating=3", [5], id="good ones"),
    ],
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

    problem = {"message": "You have reviewed this book already."}
    assert (response.status_code, response.get_json()) == (409, problem)


def test_a_review_is_found_under_its_own_book_only(reader):
    reader.post("/books/51/reviews", json=REVIEW)
    response = reader.get("/books/1/reviews/1")

    problem = {"message": "Book 1 has no review 1."}
    assert (response.status_code, response.get_json()) == (404, problem)


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_unknown_book_has_no_reviews(reader, method):
    response = reader.open("/books/900/reviews", method=method, json=REVIEW)

    problem = {"message": "There is no book 900."}
    assert (response.status_code, response.get_json()) == (404, problem)


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
    response = bookseller.open("/books/51/reviews/1", method=method, json=REVIEW)

    problem = {"message": "Only reader may change this review."}
    assert (response.status_code, response.get_json()) == (403, problem)


def test_who_may_change_a_review_is_asked_before_the_body_is_read(reader, bookseller):
    reader.post("/books/51/reviews", json=REVIEW)
    response = bookseller.put("/books/51/reviews/1", data="{")

    assert response.status_code == 403


def test_every_failure_of_a_request_is_reported(reader):
    response = reader.post("/books/0/reviews", json={"rating": 6})

    assert response.status_code == 422
    assert response.get_json() == {
        "detail": [
            {
                "loc": ["path", "book_id"],
                "msg": "Input should be greater than or equal to 1",
                "type": "greater_than_equal",
                "ctx": {"ge": 1},
            },
            {
                "loc": ["body", "rating"],
                "msg": "Input should be less than or equal to 5",
                "type": "less_than_equal",
                "ctx": {"le": 5},
            },
            {"loc": ["body", "text"], "msg": "Field required", "type": "missing"},
        ]
    }
