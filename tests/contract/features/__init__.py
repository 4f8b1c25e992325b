"""A large application in which everything that can be described occurs."""

from __future__ import annotations

import typing as t

from pydantic import create_model

from flask_signature import Flask, Query

from .errors import FORMAT
from .models import Everything
from .requests import make_files, make_main, send_model
from .responses import make_answers, make_streams
from .schemes import OPEN_ID, TOKEN
from .shop import make_shop

CONVERTERS = [
    "<x>",
    "<string(length=3):x>",
    "<int(min=1, max=9, signed=True):x>",
    "<int(fixed_digits=4):x>",
    "<float(min=0.5):x>",
    "<uuid:x>",
    "<any(a, b):x>",
    "<path:x>",
]


def make_app(*, routes: int = 100, **config: t.Any) -> Flask:
    """The application, with as many plain routes on top.

    :param config: more of its configuration.
    """
    # What a converter refuses is answered by the routing.
    app = Flask("features", responses=[404])
    app.config.update(
        SIGNATURE_TITLE="Features",
        SIGNATURE_VERSION="1.2.3",
        SIGNATURE_SUMMARY="All there is.",
        SIGNATURE_DESCRIPTION="Everything.",
        SIGNATURE_TERMS_OF_SERVICE="https://features.test/terms",
        SIGNATURE_CONTACT={"name": "Ann", "email": "ann@features.test"},
        SIGNATURE_LICENSE={"name": "MIT", "identifier": "MIT"},
        SIGNATURE_SERVERS=[{"url": "https://features.test/api"}],
        SIGNATURE_TAGS=[{"name": "Main", "description": "The main ones."}],
        SIGNATURE_EXTERNAL_DOCS={"url": "https://features.test/docs"},
        SIGNATURE_SECURITY=TOKEN,
        SIGNATURE_SECURITY_SCHEMES={"open_id": OPEN_ID},
        SIGNATURE_WEBHOOKS={"changed": send_model(Everything)},
        SIGNATURE_DOCUMENT_HOOK=add_logo,
        SIGNATURE_ERROR_FORMAT=FORMAT,
        SIGNATURE_STRICT_CONTENT_TYPE=False,
    )
    app.config.update(config)
    app.register_blueprint(make_main(), url_prefix="/<lang>/main")
    app.register_blueprint(make_files())
    app.register_blueprint(make_answers(), url_prefix="/answers")
    app.register_blueprint(make_streams(), url_prefix="/streams")
    app.register_blueprint(make_shop(), url_prefix="/books")
    for number, converter in enumerate(CONVERTERS):
        app.get(f"/c{number}/{converter}", endpoint=f"c{number}")(take_anything)
    for number in range(routes):
        add_plain(app, number)
    app.init_app()
    return app


def add_logo(document: dict[str, t.Any]) -> None:
    document["info"]["x-logo"] = {"url": "https://features.test/logo.svg"}


def take_anything(**variables: t.Any) -> None:
    """Take any variable."""


def add_plain(app: Flask, number: int) -> None:
    """Add a route with models of its own, the homonyms of many others."""
    given = create_model("Thing", __module__=f"things.a{number}", a=(int, number))
    taken = create_model("Thing", __module__=f"things.b{number}", b=(str, ...))

    def view(item: t.Any, page: int = Query(1, ge=number)) -> t.Any:
        return given()

    view.__annotations__ = {"item": taken, "page": int, "return": given}
    app.post(f"/things/{number}", endpoint=f"thing{number}")(view)
