"""Requests that run at the same time share nothing but what they are given."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import gevent
from flask import request
from gevent.pool import Pool

from flask_signature import Depends, Flask

REQUESTS = 300


def build(pause):
    """An application whose requests stop between all their steps.

    :param pause: lets other requests run.
    """
    app = Flask("shop")
    opened, closed = [], []

    def get_user(user: str):
        pause()
        opened.append(user)
        yield user
        pause()
        closed.append(user)

    def get_name(user=Depends(get_user)) -> str:
        pause()
        return f"name of {user}"

    def check(user=Depends(get_user)):
        pause()
        assert user == request.args["user"]

    @app.get("/", dependencies=[check])
    def show(user=Depends(get_user), name=Depends(get_name), passed: str = "") -> str:
        pause()
        return f"{user} {name} {passed}"

    @app.get("/passed", decorators=[passing])
    def show_passed(user: str, name=Depends(get_name)) -> str:
        pause()
        return f"{user} {name}"

    return app, opened, closed


def passing(view):
    """A decorator that passes an argument for every second user."""

    def wrapper(**kwargs):
        user = request.args["user"]
        if int(user) % 2:
            kwargs["name"] = f"passed {user}"
        return view(**kwargs)

    return wrapper


def check(client, user):
    """One request of a user."""
    assert client.get(f"/?user={user}&passed={user}").text == (
        f"{user} name of {user} {user}"
    )
    name = f"passed {user}" if user % 2 else f"name of {user}"
    assert client.get(f"/passed?user={user}").text == f"{user} {name}"
    return True


def test_threads_do_not_meet():
    app, opened, closed = build(lambda: time.sleep(0.0002))
    clients = threading.local()

    def run(user):
        if not hasattr(clients, "own"):
            clients.own = app.test_client()
        return check(clients.own, user)

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(run, range(REQUESTS)))

    # Where the name is passed, nobody needs the user.
    assert len(opened) == REQUESTS * 3 // 2
    assert sorted(opened) == sorted(closed)


def test_overrides_in_another_thread_leave_no_request_in_between(app, client):
    def get_one() -> str:
        return "1"

    def get_two(one=Depends(get_one)) -> str:
        return f"{one}{one}"

    @app.get("/")
    def show(one=Depends(get_one), two=Depends(get_two)) -> str:
        return f"{one} {two}"

    is_done = threading.Event()

    def override():
        while not is_done.is_set():
            app.dependency_overrides[get_one] = lambda: "2"
            del app.dependency_overrides[get_one]

    thread = threading.Thread(target=override)
    thread.start()
    try:
        seen = {client.get("/").text for _ in range(REQUESTS)}
    finally:
        is_done.set()
        thread.join()

    assert seen <= {"1 11", "2 22"}


def test_greenlets_do_not_meet():
    app, opened, closed = build(lambda: gevent.sleep(0))

    found = Pool(50).map(lambda user: check(app.test_client(), user), range(REQUESTS))

    assert found == [True] * REQUESTS
    assert sorted(opened) == sorted(closed)
