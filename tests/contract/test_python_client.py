"""A Python client is generated from the description, and calls every operation."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import typing as t
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import httpx
import pytest
from contract.features import make_app

from flask_signature import Flask

#: Contents that the client has no types for: it has what was sent.
NO_TYPES = {"application/jsonl", "image/gif", "image/jpeg", "image/png", "image/webp"}

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(16)


class Calls:
    """The operations of a generated client by their names, and which were called."""

    def __init__(self, app: Flask, name: str = "bookshop") -> None:
        transport = httpx.WSGITransport(app=app)
        self.name = name
        self.client = import_module(f"{name}_client.client").Client(
            base_url=f"http://{name}.test", httpx_args={"transport": transport}
        )
        self.called: set[str] = set()

    def detailed(self, package: str, operation: str, **arguments: t.Any) -> t.Any:
        """The detailed response of ``"orders", "orders_place_order"``."""
        module = import_module(f"{self.name}_client.api.{package}.{operation}")
        self.called.add(operation)
        return module.sync_detailed(client=self.client, **arguments)

    def __call__(self, name: str, **arguments: t.Any) -> tuple[int, t.Any]:
        """The status and the typed answer of ``"orders.place_order"``.

        A stream and a picture have no type, and are what was sent.
        """
        package, _, function = name.partition(".")
        response = self.detailed(package, f"{package}_{function}", **arguments)
        parsed = response.parsed
        return int(response.status_code), response.content if parsed is None else parsed


Generate: t.TypeAlias = Callable[[Flask], tuple[Path, str]]


@pytest.fixture(scope="session")
def generate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Generate]:
    """Generates a client, and gives its folder and what the generator printed."""
    found: dict[str, tuple[Path, str]] = {}
    with pytest.MonkeyPatch.context() as monkeypatch:

        def run(app: Flask) -> tuple[Path, str]:
            if app.name not in found:
                found[app.name] = generate_client(
                    app, tmp_path_factory.mktemp("python")
                )
                monkeypatch.syspath_prepend(found[app.name][0])
            return found[app.name]

        yield run


def generate_client(app: Flask, parent: Path) -> tuple[Path, str]:
    document, folder = parent / "openapi.json", parent / "client"
    document.write_bytes(app.test_client().get("/openapi.json").data)
    program = Path(sys.executable).with_name("openapi-python-client")
    # It formats what it generated with the ruff beside it.
    path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
    result = subprocess.run(
        [program, "generate", "--path", document, "--output-path", folder],
        check=True,
        capture_output=True,
        env={**os.environ, "PATH": path},
        text=True,
        timeout=120,
    )
    return folder, result.stdout + result.stderr


@pytest.fixture
def generated(bookshop: Flask, generate: Generate) -> Path:
    folder, output = generate(bookshop)
    unknown = re.findall(r"\(Unsupported content_type (.+?)\)", output)
    assert len(unknown) == output.count("WARNING"), output
    assert set(", ".join(unknown).split(", ")) <= NO_TYPES, output
    return folder


def model(name: str, package: str = "bookshop") -> t.Any:
    return getattr(import_module(f"{package}_client.models"), name)


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


def types_of(operation: str) -> set[str]:
    """The names of the types that an operation of the shop is said to answer."""
    module = import_module(f"features_client.api.books.shop_{operation}")
    (answers,) = t.get_args(t.get_type_hints(module.sync_detailed)["return"])
    return {getattr(tp, "__name__", str(tp)) for tp in t.get_args(answers)}


@pytest.fixture
def shop(generate: Generate) -> t.Callable[..., t.Any]:
    """The client of the application that has every feature."""
    config = {"SIGNATURE_SERVERS": None, "SIGNATURE_ERROR_FORMAT": "pydantic2"}
    app = make_app(routes=1, **config)
    _, output = generate(app)
    # Of two models with one title the generator leaves out the second.
    assert "duplicate models" not in output
    assert "removal of" not in output
    calls = Calls(app, "features")
    return lambda name, **arguments: calls.detailed(
        "books", f"shop_{name}", **arguments
    )


@pytest.mark.usefixtures("shop")
def test_client_has_a_type_for_each_status() -> None:
    aborted, refused = "HTTPErrorMessage", "ValidationFailures"
    assert types_of("show_book") == {"Book", "Problem", aborted}
    assert types_of("add_book") == {"Book", "Problem", aborted, refused}
    assert types_of("change_book") == {"Book", aborted, refused}
    assert types_of("order_book") == {"Book", "SoldOut", aborted, refused}


def test_client_parses_each_status_into_its_own_class(shop):
    book, problem = model("Book", "features"), model("Problem", "features")
    new_book = model("NewBook", "features")
    abort_message = model("HTTPErrorMessage", "features")

    found = shop("show_book", book_id=1)
    assert (found.status_code, type(found.parsed)) == (200, book)
    assert found.parsed.title == "Emma"
    missing = shop("show_book", book_id=9)
    assert (missing.status_code, type(missing.parsed)) == (404, problem)
    assert missing.parsed.reason == "There is no such book."

    added = shop("add_book", body=new_book(title="Persuasion"))
    assert (added.status_code, type(added.parsed)) == (201, book)
    twice = shop("add_book", body=new_book(title="Persuasion"))
    assert (twice.status_code, type(twice.parsed)) == (409, problem)
    refused = shop("add_book", body=new_book(title=""))
    assert refused.status_code == 422
    assert refused.parsed.detail[0].loc == ["body", "title"]

    change = model("BookChange", "features")
    aborted = shop("change_book", book_id=9, body=change(title="Emma"))
    assert (aborted.status_code, type(aborted.parsed)) == (404, abort_message)
    renamed = shop("change_book", book_id=1, body=change(year=None))
    assert (renamed.parsed.title, renamed.parsed.year) == ("Emma", None)

    order = model("ShopOrderBookBody", "features")
    sold_out = shop("order_book", book_id=1, body=order(copies=2))
    assert (sold_out.status_code, sold_out.parsed.sold_out) == (409, "Emma")

    part = shop("find_books")
    assert (part.status_code, [type(item) for item in part.parsed]) == (206, [book])
    assert shop("remove_book", book_id=added.parsed.id).status_code == 204
    assert shop("remove_book", book_id=1).status_code == 409


def test_client_gives_headers_as_strings(shop):
    """The generator has no types for headers: they are those of httpx."""
    body = model("NewBook", "features")(title="Persuasion")
    headers = shop("add_book", body=body).headers
    assert headers["Location"] == "/books/2"
    assert headers["Last-Modified"] == "Sun, 17 May 2026 12:30:00 GMT"
    headers = shop("find_books").headers
    assert (headers["X-Total"], headers["X-Complete"]) == ("2", "false")
