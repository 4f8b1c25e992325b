from __future__ import annotations

import typing as t
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from client import message_of, refusals
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

pytestmark = pytest.mark.once

ADDRESS = {
    "name": "Hester Prynne",
    "street": "1 Cottage Lane",
    "postcode": "02108",
    "city": "Boston",
    "country": "US",
}

# Faust twice, and the last Tale of Genji.
LINES = [{"book_id": 51, "quantity": 2}, {"book_id": 59}]

ORDER = {"lines": LINES, "address": ADDRESS}


def stock(client: FlaskClient, book_id: int) -> int:
    return t.cast(int, client.get(f"/books/{book_id}").get_json()["stock"])


def send_twice_at_once(
    client: FlaskClient, method: str, **options: t.Any
) -> list[TestResponse]:
    """The answers to a request that is sent twice at the same moment."""
    cookie = client.get_cookie("bookshop_session")
    assert cookie is not None
    barrier = Barrier(2)

    def send(_: int) -> TestResponse:
        own_client = client.application.test_client()
        own_client.set_cookie(cookie.key, cookie.value)
        barrier.wait()
        return own_client.open(method=method, **options)

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(send, range(2)))


def test_an_order_takes_its_books_from_the_stock(reader):
    response = reader.post("/orders", json={**ORDER, "gift_note": "For Pearl"})

    order = response.get_json()
    faust = {"book_id": 51, "title": "Faust", "quantity": 2, "price_cents": 690}
    tale = {"book_id": 59, "title": "The Tale of Genji", "quantity": 1}
    assert (response.status_code, response.location) == (201, "/orders/1")
    assert order == {
        "id": 1,
        "status": "open",
        "placed_at": order["placed_at"],
        "address": ADDRESS,
        "gift_note": "For Pearl",
        "lines": [faust, {**tale, "price_cents": 1490}],
        "total_cents": 2870,
    }
    assert reader.get("/orders/1").get_json() == order
    assert (stock(reader, 51), stock(reader, 59)) == (5, 0)


def test_lines_for_the_same_book_are_added_up(reader):
    lines = [{"book_id": 51}, {"book_id": 51, "quantity": 3}]
    order = reader.post("/orders", json={**ORDER, "lines": lines}).get_json()

    assert [line["quantity"] for line in order["lines"]] == [4]


TOO_FEW = "Too few copies of The Tale of Genji: 1 in stock."


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"book_id": 59, "quantity": 2}, (409, TOO_FEW)),
        ({"book_id": 900}, (404, "There is no book 900.")),
    ],
    ids=["too few", "not sold"],
)
def test_an_order_takes_all_of_its_books_or_none(reader, line, problem):
    order = {**ORDER, "lines": [{"book_id": 51}, line]}

    assert message_of(reader.post("/orders", json=order)) == problem
    assert (stock(reader, 51), stock(reader, 59)) == (7, 1)
    assert reader.get("/orders").get_json()["total"] == 0


def test_what_is_wrong_in_a_nested_line_is_named(reader):
    lines = [{"book_id": 1}, {"quantity": 0}]
    order = {"lines": lines, "address": {**ADDRESS, "city": ""}}
    response = reader.post("/orders", json=order, headers={"Idempotency-Key": "a b"})

    assert refusals(response) == [
        (["header", "Idempotency-Key"], "string_pattern_mismatch"),
        (["body", "lines", 1, "book_id"], "missing"),
        (["body", "lines", 1, "quantity"], "greater_than_equal"),
        (["body", "address", "city"], "string_too_short"),
    ]


def test_a_repeated_request_places_no_second_order(reader):
    key = {"Idempotency-Key": "3f6c"}
    first = reader.post("/orders", json=ORDER, headers=key)
    second = reader.post("/orders", json=ORDER, headers=key)

    assert (first.status_code, second.status_code) == (201, 200)
    assert second.get_json() == first.get_json()
    assert second.location == first.location
    assert stock(reader, 51) == 5


def test_a_key_belongs_to_one_order_of_one_customer(reader, bookseller):
    key = {"Idempotency-Key": "3f6c"}
    order = {**ORDER, "lines": [{"book_id": 51}]}
    reader.post("/orders", json=order, headers=key)
    other = reader.post("/orders", json={**order, "gift_note": ""}, headers=key)
    others = bookseller.post("/orders", json=order, headers=key)

    assert message_of(other) == (409, "This Idempotency-Key belongs to another order.")
    assert others.status_code == 201


def test_two_requests_at_once_with_one_key_place_one_order(reader):
    key = {"Idempotency-Key": "3f6c"}
    answers = send_twice_at_once(
        reader, "post", path="/orders", json=ORDER, headers=key
    )

    assert sorted(answer.status_code for answer in answers) == [200, 201]
    assert answers[0].get_json() == answers[1].get_json()
    assert stock(reader, 51) == 5


def test_the_last_copy_is_sold_once(reader):
    answers = send_twice_at_once(reader, "post", path="/orders", json=ORDER)

    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert (stock(reader, 51), stock(reader, 59)) == (5, 0)


def test_an_order_is_seen_by_its_customer_only(reader, bookseller):
    reader.post("/orders", json=ORDER)
    response = bookseller.get("/orders/1")

    assert message_of(response) == (404, "You have no order 1.")
    assert bookseller.get("/orders").get_json() == {
        "items": [],
        "total": 0,
        "page": 1,
        "per_page": 20,
    }


def test_a_change_leaves_alone_what_it_does_not_name(reader):
    order = reader.post("/orders", json={**ORDER, "gift_note": "For Pearl"}).get_json()
    moved = {**ADDRESS, "city": "Salem"}
    address = reader.patch("/orders/1", json={"address": moved})
    note = reader.patch("/orders/1", json={"gift_note": None})
    nothing = reader.patch("/orders/1", json={})

    assert address.status_code == 200
    assert address.get_json() == {**order, "address": moved}
    assert note.get_json() == {**order, "address": moved, "gift_note": None}
    assert nothing.get_json() == note.get_json() == reader.get("/orders/1").get_json()


def test_a_withdrawn_order_puts_its_books_back(reader):
    reader.post("/orders", json=ORDER)
    response = reader.delete("/orders/1")

    assert (response.status_code, response.data) == (204, b"")
    assert reader.get("/orders/1").status_code == 404
    assert (stock(reader, 51), stock(reader, 59)) == (7, 1)


def test_an_order_is_withdrawn_once(reader):
    reader.post("/orders", json=ORDER)
    answers = send_twice_at_once(reader, "delete", path="/orders/1")

    assert sorted(answer.status_code for answer in answers) == [204, 404]
    assert (stock(reader, 51), stock(reader, 59)) == (7, 1)


def test_the_staff_ships_an_order(reader, bookseller):
    reader.post("/orders", json=ORDER)
    shipped = bookseller.post("/orders/1/shipment")
    again = bookseller.post("/orders/1/shipment")

    assert (shipped.status_code, shipped.data) == (204, b"")
    assert message_of(again) == (409, "Order 1 is shipped already.")
    assert reader.get("/orders?status=shipped").get_json()["total"] == 1
    assert reader.get("/orders?status=open").get_json()["total"] == 0


@pytest.mark.parametrize("method", ["patch", "delete"])
def test_a_shipped_order_is_not_changed(reader, bookseller, method):
    reader.post("/orders", json=ORDER)
    bookseller.post("/orders/1/shipment")
    response = reader.open("/orders/1", method=method, json={})

    problem = "Order 1 is shipped, and can't be changed any more."
    assert message_of(response) == (409, problem)
