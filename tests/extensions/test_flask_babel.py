"""Flask-Babel: the language of a request reaches typed views."""

from __future__ import annotations

from datetime import date

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from flask import request
from flask_babel import Babel, format_date, gettext

from flask_signature import Query


def chosen() -> str | None:
    """The best of the languages that the client accepts."""
    return request.accept_languages.best_match(["en", "de"])


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [("en", "Hello Ada", "Dec 31, 2030"), ("de", "Hallo Ada", "31.12.2030")],
)
def test_words_and_dates_are_those_of_the_client(
    app, client, tmp_path, language, text, day
):
    catalog = Catalog(locale="de")
    catalog.add("Hello %(name)s", "Hallo %(name)s", flags=["python-format"])
    folder = tmp_path / "translations" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "messages.mo").open("wb") as file:
        write_mo(file, catalog)
    Babel(app, locale_selector=chosen)

    @app.get("/hello/<name>")
    def hello(name: str, day: date = Query(date(2031, 3, 1))) -> dict[str, str]:
        return {"text": gettext("Hello %(name)s", name=name), "day": format_date(day)}

    headers = {"Accept-Language": language}
    response = client.get("/hello/Ada?day=2030-12-31", headers=headers)

    assert response.json == {"text": text, "day": day}
