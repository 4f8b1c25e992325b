"""A small guest book as plain Flask has it: pages, forms, JSON, sessions, hooks.

Nothing in here knows of flask_signature. The test changes two import lines below.
"""

import io

import click
from flask import Blueprint
from flask import Flask
from flask import abort, flash, g, get_flashed_messages, jsonify, make_response
from flask import redirect, render_template, request, send_file, session
from flask import stream_with_context, url_for
from flask.typing import ResponseReturnValue
from flask.views import MethodView
from flask.views import View
from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter


class OutOfPaper(Exception):
    """No page is left."""


class Initials(BaseConverter):
    """Two capital letters."""

    regex = "[A-Z]{2}"

    def to_python(self, value):
        return tuple(value)

    def to_url(self, value):
        return "".join(value)


pages = Blueprint("pages", __name__)
api = Blueprint("api", __name__, url_prefix="/api")
books = Blueprint("books", __name__, url_prefix="/<lang>/books")


@pages.route("/")
def index():
    return render_template("index.html", entries=g.book)


@pages.route("/entries/<int:number>")
def entry(number):
    if number >= len(g.book):
        abort(404)
    return render_template("entry.html", number=number, entry=g.book[number])


@pages.route("/write", methods=["GET", "POST"])
def write():
    if request.method == "POST" and request.form.get("text"):
        g.book.append(request.form["text"])
        flash("Thank you")
        return redirect(url_for(".index"))
    return render_template("write.html", missing=request.method == "POST")


@pages.route("/login", methods=["POST"])
def login() -> ResponseReturnValue:
    session["name"] = request.form["name"]
    return redirect(url_for(".index"))


@pages.route("/logout", methods=["POST"])
def logout():
    session.clear()
    return "Bye", 200


@pages.route("/upload", methods=["POST"])
def upload():
    photo = request.files["photo"]
    return f"{photo.filename}: {len(photo.read())} bytes", 200


@pages.route("/archive", defaults={"year": 2030})
@pages.route("/archive/<int:year>")
def archive(year, order="new"):
    return f"{year} {order}"


@pages.route("/by/<initials:who>")
def by(who):
    return f"{'.'.join(who)} {url_for('pages.by', who=who)}"


@pages.route("/any/<path:rest>")
def anything(**variables):
    return variables


@pages.route("/feed")
def feed():
    return stream_with_context(f"<{line}>" for line in g.book)


@pages.route("/photo")
def photo():
    return send_file(io.BytesIO(b"GIF89a"), mimetype="image/gif")


@pages.route("/paper")
def paper():
    raise OutOfPaper


@pages.route("/crash")
def crash():
    raise RuntimeError("a secret")


@pages.route("/teapot")
def teapot():
    response = make_response("short and stout", 418)
    response.set_cookie("tea", "green")
    return response


@pages.app_template_filter()
def shout(text):
    return text.upper()


@pages.app_context_processor
def name_of_guest():
    return {"guest": session.get("name", "guest"), "flashed": get_flashed_messages}


@api.errorhandler(NotFound)
def no_such_thing(error):
    return jsonify(error="no such thing"), 404


@api.before_request
def refuse_robots():
    if request.headers.get("User-Agent") == "robot":
        return jsonify(error="no robots"), 403
    return None


@api.get("/entries")
def list_entries():
    page = request.args.get("page", 1, type=int)
    return jsonify(entries=g.book, page=page)


@api.post("/entries")
def create_entry():
    g.book.append(request.get_json()["text"])
    return {"number": len(g.book) - 1}, 201, {"Location": "/entries/0"}


@api.put("/entries/<int:number>")
def replace_entry(number: int) -> ResponseReturnValue:
    g.book[number] = request.get_json()["text"]
    return {"number": number}, 200


@api.delete("/entries/<int:number>")
def delete_entry(number: int) -> ResponseReturnValue:
    del g.book[number]
    return "", 204


class Words(MethodView):
    init_every_request = False

    def get(self, number):
        return g.book[number].split()

    def patch(self, number):
        g.book[number] += " " + request.get_data(as_text=True)
        return {"text": g.book[number]}


class Count(View):
    def dispatch_request(self):
        return str(len(g.book))


api.add_url_rule("/entries/<int:number>/words", view_func=Words.as_view("words"))
api.add_url_rule("/count", view_func=Count.as_view("count"))


@books.url_value_preprocessor
def take_language(endpoint, values):
    g.lang = values.pop("lang")


@books.url_defaults
def add_language(endpoint, values):
    values.setdefault("lang", g.get("lang", "en"))


@books.route("/<title>")
def book(title):
    return f"{g.lang} {title} {url_for('.book', title='next')}"


@books.cli.command("count")
def count_books():
    click.echo("no books")


def create_app(config=None):
    app = Flask("guestbook", root_path=(config or {}).pop("root_path", None))
    app.config.update(SECRET_KEY="a secret")
    app.config.update(config or {})
    app.url_map.converters["initials"] = Initials
    app.register_blueprint(pages)
    app.register_blueprint(api)
    app.register_blueprint(books)
    app.register_blueprint(books, url_prefix="/old/<lang>", name="old_books")
    kept = ["Hello", "What a nice place"]

    @app.before_request
    def open_book():
        g.book = kept

    @app.after_request
    def sign(response):
        response.headers["X-Guest"] = session.get("name", "guest")
        return response

    @app.errorhandler(404)
    def not_found(error):
        return render_template("error.html", error=error), 404

    @app.errorhandler(OutOfPaper)
    def out_of_paper(error):
        return "out of paper", 503, {"Retry-After": "60"}

    @app.route("/health", methods=["GET", "POST", "DELETE"])
    def health():
        return "well", 200

    return app
