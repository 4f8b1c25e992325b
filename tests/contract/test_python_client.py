"""A Python client is generated from the description, and calls every operation."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import typing as t
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import httpx
import pytest

from flask_signature import Flask

#: Contents that the client has no types for: it has what was sent.
NO_TYPES = {"application/jsonl", "image/gif", "image/jpeg", "image/png", "image/webp"}

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(16)


class Calls:
    """The operations of a generated client by their names, and which were called."""

    def __init__(self, app: Flask) -> None:
        transport = httpx.WSGITransport(app=app)
        module = import_module("bookshop_client.client")
        self.client = module.Client(
            base_url="http://bookshop.test", httpx_args={"transport": transport}
        )
        self.called: set[str] = set()

    def __call__(self, name: str, **arguments: t.Any) -> tuple[int, t.Any]:
        """The status and the typed answer of ``"orders.place_order"``.

        A stream and a picture have no type, and are what was sent.
        """
        package, _, function = name.partition(".")
        module = import_module(f"bookshop_client.api.{package}.{package}_{function}")
        self.called.add(f"{package}_{function}")
        response = module.sync_detailed(client=self.client, **arguments)
        parsed = response.parsed
        return int(response.status_code), response.content if parsed is None else parsed


@pytest.fixture
def generated(
    bookshop: Flask,
    write_document: Callable[[Flask], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """The folder of a client for the bookshop."""
    program = Path(sys.executable).with_name("openapi-python-client")
    folder = tmp_path / "client"
    # It formats what it generated with the ruff beside it.
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    result = subprocess.run(
        [
            *(program, "generate", "--path", write_document(bookshop)),
            *("--output-path", folder),
        ],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    output = result.stdout + result.stderr
    unknown = re.findall(r"\(Unsupported content_type (.+?)\)", output)
    assert len(unknown) == output.count("WARNING"), output
    assert set(", ".join(unknown).split(", ")) <= NO_TYPES, output
    monkeypatch.syspath_prepend(folder)
    return folder


def model(name: str) -> t.Any:
    """One of the generated models."""
    return getattr(import_module("bookshop_client.models"), name)


# The generated code's own: it hands cookies to httpx with each request.
@pytest.mark.filterwarnings("ignore:Setting per-request cookies:DeprecationWarning")
def test_client_calls_every_operation(bookshop: Flask, generated: Path) -> None:
    call = Calls(bookshop)
    visit_catalogue(call)
    log_in(call, "bookseller", "it-was-the-best-of-times")
    book_id = fill_shelves(call)
    review(call, book_id)
    order(call, book_id)
    manage_tokens(call)
    assert call("session.log_out")[0] == 204

    document = bookshop.test_client().get("/openapi.json").get_json()
    described = {
        operation["operationId"]
        for item in document["paths"].values()
        for operation in item.values()
    }
    assert call.called == described


def manage_tokens(call: Calls) -> None:
    new = model("NewToken")(name="stock report", days=1)
    status, made = call("session.create_token", body=new)
    assert (status, type(made)) == (201, model("CreatedToken"))
    (token,) = call("session.list_tokens")[1]
    assert (token.id, token.name) == (made.id, "stock report")
    assert call("session.revoke_token", token_id=token.id)[0] == 204
    status, problem = call("session.revoke_token", token_id=token.id)
    assert (status, type(problem)) == (404, model("HTTPErrorMessage"))


def visit_catalogue(call: Calls) -> None:
    newest = model("CatalogueListBooksSort")("-year")
    status, page = call("catalogue.list_books", per_page=2, tag=[], sort=newest)
    assert status == 200
    assert isinstance(page, model("PageBookSummary"))
    assert isinstance(page.items[0], model("BookSummary"))

    status, failures = call("catalogue.list_books", per_page=1000)
    assert status == 422
    assert isinstance(failures, model("ValidationFailures"))
    assert failures.detail[0].loc == ["query", "per_page"]

    book_id = page.items[0].id
    assert isinstance(call("catalogue.show_book", book_id=book_id)[1], model("Book"))
    status, problem = call("catalogue.show_book", book_id=10**6)
    assert (status, type(problem)) == (404, model("HTTPErrorMessage"))

    authors = call("catalogue.list_authors")[1]
    author = call("catalogue.show_author", author_id=authors.items[0].id)[1]
    assert isinstance(author, model("Author"))
    assert isinstance(call("catalogue.list_tags")[1][0], model("TagCount"))
    lines = call("catalogue.export_books")[1].splitlines()
    assert len(lines) == page.total


def log_in(call: Calls, username: str, password: str) -> None:
    credentials = model("Credentials")
    wrong = credentials(username=username, password="wrong")
    status, answer = call("session.log_in", body=wrong)
    assert (status, type(answer)) == (401, model("HTTPErrorMessage"))
    status, answer = call(
        "session.log_in", body=credentials(username=username, password=password)
    )
    assert (status, answer.user.username) == (201, username)
    assert call("session.show_session")[1].user.is_staff


def fill_shelves(call: Calls) -> int:
    status, author = call("catalogue.add_author", body=model("NewAuthor")(name="Ann"))
    assert (status, author.name) == (201, "Ann")
    book = model("NewBook")(
        title="Signatures", author_id=author.id, year=1999, price_cents=100, stock=9
    )
    status, added = call("catalogue.add_book", body=book)
    assert (status, added.title) == (201, "Signatures")

    file = import_module("bookshop_client.types").File
    picture = file(io.BytesIO(PICTURE), "cover.png", "image/png")
    body = model("CoversUploadCoverBody")(image=picture, caption="Blue")
    status, cover = call("covers.upload_cover", book_id=added.id, body=body)
    assert (status, cover.caption, cover.size) == (201, "Blue", len(PICTURE))
    assert call("covers.show_cover", book_id=added.id) == (200, PICTURE)
    assert call("covers.show_cover_details", book_id=added.id)[1] == cover
    assert call("covers.remove_cover", book_id=added.id)[0] == 204
    return int(added.id)


def review(call: Calls, book_id: int) -> None:
    new = model("NewReview")
    status, written = call(
        "reviews.write_review", book_id=book_id, body=new(rating=5, text="Good.")
    )
    assert (status, written.rating) == (201, 5)
    place = {"book_id": book_id, "review_id": written.id}
    better = new(rating=4, text="Well.")
    assert call("reviews.rewrite_review", body=better, **place)[1].text == "Well."
    assert call("reviews.show_review", **place)[1].rating == 4
    assert call("reviews.list_reviews", book_id=book_id)[1].total == 1
    assert call("reviews.remove_review", **place)[0] == 204


def order(call: Calls, book_id: int) -> None:
    address = model("Address")(
        name="Ann", street="1 Road", postcode="1", city="Town", country="GB"
    )
    lines = [model("NewLine")(book_id=book_id, quantity=2)]
    new = model("NewOrder")(lines=lines, address=address)
    status, placed = call("orders.place_order", body=new, idempotency_key="one")
    assert (status, placed.total_cents) == (201, 200)
    again = call("orders.place_order", body=new, idempotency_key="one")
    assert again == (200, placed)

    change = model("OrderChange")(gift_note="For you")
    changed = call("orders.change_order", order_id=placed.id, body=change)[1]
    assert (changed.gift_note, changed.status) == ("For you", model("Status").OPEN)
    assert call("orders.show_order", order_id=placed.id)[1] == changed
    assert call("orders.list_orders")[1].items == [changed]
    assert call("orders.ship_order", order_id=placed.id)[0] == 204
    status, problem = call("orders.withdraw_order", order_id=placed.id)
    assert (status, type(problem)) == (409, model("HTTPErrorMessage"))


def test_generated_client_is_one_that_python_reads(generated: Path) -> None:
    ruff = shutil.which("ruff")
    assert ruff is not None
    subprocess.run([ruff, "check", "--select", "F", generated], check=True)
