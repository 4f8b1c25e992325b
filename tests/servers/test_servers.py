"""Typed views under the servers that people run, on the loopback interface."""

from __future__ import annotations

import hashlib
import io
import os
import socket
import time
import typing as t
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import pytest
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

if t.TYPE_CHECKING:
    from conftest import Answer

#: The MAX_CONTENT_LENGTH of the application, in bytes.
LIMIT = 8_000_000

CONTENT_TYPES = (
    "application/json",
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-8",
)


def test_parallel_requests_get_their_own_answers(server):
    def ask(n: int) -> tuple[int, t.Any]:
        answer = server.request("GET", f"/shops/{n}/double?n={n}")
        return answer.status, answer.json

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(80)))

    assert answers == [(200, {"shop": n, "twice": 2 * n}) for n in range(80)]


def test_parallel_refusals_name_their_own_failures(server):
    def ask(n: int) -> tuple[int, t.Any]:
        answer = server.post_json("/shops/1/orders", {"article": "a", "count": f"x{n}"})
        return answer.status, [entry["loc"] for entry in answer.json["detail"]]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(40)))

    assert answers == [(422, [["body", "count"]])] * 40


def test_asynchronous_views_have_one_loop_in_each_thread(server):
    def ask(n: int) -> dict[str, int]:
        answer = server.request("GET", f"/shops/{n}/loop")
        assert (answer.status, answer.json["shop"]) == (200, n), answer
        return t.cast("dict[str, int]", answer.json)

    # Under gevent Flask runs it, which takes one after the other.
    is_green = "gevent" in server.kind.command
    with ThreadPoolExecutor(1 if is_green else 8) as pool:
        answers = list(pool.map(ask, range(80)))

    threads = {(one["process"], one["thread"]) for one in answers}
    loops = {(one["process"], one["thread"], one["loop"]) for one in answers}
    assert is_green or len(loops) == len(threads) <= 8


@pytest.mark.parametrize(
    ("method", "body", "status"),
    [
        ("QUERY", ['{"article": "lamp", "count": 3}'], 200),
        # In chunks, without a length.
        ("POST", ['{"article":', '"lamp","count":', "3}"], 201),
    ],
)
def test_query_and_chunked_body_arrive_whole(server, method, body, status):
    sent = body[0] if len(body) == 1 else (part.encode() for part in body)
    headers = {"Content-Type": "application/json"}

    answer = server.request(method, "/shops/4/orders", body=sent, headers=headers)

    assert answer.status == status
    assert answer.json == {"shop_id": 4, "article": "lamp", "count": 3}


def test_every_worker_serves_the_same_description(server):
    answers = {server.request("GET", "/openapi.json") for _ in range(8)}

    assert [answer.status for answer in answers] == [200]


def test_upload_arrives_whole(server):
    content = os.urandom(3_000_000)
    photo = FileStorage(io.BytesIO(content), filename="lamp.jpg")
    boundary, body = encode_multipart({"title": "Lamp", "photo": photo})
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}

    answer = server.request("POST", "/shops/4/photos", body=body, headers=headers)

    assert answer.status == 201
    assert answer.json == {
        "shop": 4,
        "title": "Lamp",
        "name": "lamp.jpg",
        "sha256": hashlib.sha256(content).hexdigest(),
    }


@pytest.mark.parametrize("path", ["report?lines=2", "arrivals?count=2"])
def test_stream_is_sent_while_it_is_made(server, path):
    connection = server.connect()
    connection.request("GET", f"/shops/4/{path}")
    response = connection.getresponse()

    first, after_first = response.readline(), time.monotonic()
    rest, after_rest = response.read(), time.monotonic()
    connection.close()

    event = b'data: {"article":"lamp","count":4}\n\n'
    if path.startswith("report"):
        assert (first, rest) == (b"4/0\n", b"4/1\n")
    else:
        assert (first, rest) == (b"id: 0\n", event + b"id: 1\n" + event)
        server.wait_for("arrivals end")
    assert after_rest - after_first > 0.5


def test_asynchronous_events_end_when_the_client_leaves(server):
    connection = server.connect()
    connection.request("GET", "/shops/4/arrivals?count=60")
    assert connection.getresponse().readline() == b"id: 0\n"
    connection.close()

    server.wait_for("arrivals end")
    assert server.request("GET", "/shops/4/double?n=1").status == 200


def test_client_that_hangs_up_in_its_body_disturbs_nobody(server):
    head = (
        b"POST /shops/4/orders HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
        client.sendall(head + b'{"article": "lamp", "cou')
        time.sleep(0.2)

    answers = [server.post_json("/shops/4/orders", {"article": "b"}) for _ in range(6)]

    assert [answer.status for answer in answers] == [201] * 6
    assert server.process.poll() is None
    assert "order of lamp" not in server.printed()
    assert "Exception on /shops" not in server.printed()


def test_stop_lets_a_running_request_finish(server):
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(server.request, "GET", "/shops/4/slow?seconds=1")
        server.wait_for("slow begins")
        status = server.stop()

    assert running.result().json == {"slept": 1.0}
    assert status == 0


@pytest.mark.parametrize("content_type", CONTENT_TYPES)
def test_chunked_body_over_the_limit_is_refused(server, content_type):
    is_json = "json" in content_type
    start = b'{"article": "lamp"}' if is_json else b"article=lamp"
    path = "/shops/4/orders" if is_json else "/shops/4/notes"

    def send(size: int) -> Answer:
        chunks = (b" " * 65_536 for _ in range((size - len(start)) // 65_536))
        headers, body = {"Content-Type": content_type}, chain([start], chunks)
        return server.request("POST", path, body=body, headers=headers)

    # The server may close the connection before it has read all of the body.
    try:
        refused = send(2 * LIMIT).status
    except (BrokenPipeError, ConnectionResetError):
        refused = 413
    assert refused == 413
    assert "of lamp" not in server.printed()
    assert send(LIMIT - 65_536).status == 201
