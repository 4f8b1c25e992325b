"""The routes of the documents and of their pages, and the command ``flask openapi``.

The routes are plain Flask, and so not described themselves. Their responses contain
nothing of a request. All links are relative: they hold behind a prefix and a proxy.
"""

from __future__ import annotations

import difflib
import html
import json
import re
import string
import typing as t
import warnings
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import click
import flask
from flask.cli import with_appcontext

from .._http.json import JSON
from .._operations.decorators import Routes
from .._signature.views import locate
from ..exceptions import SignatureWarning
from .document import Description, descriptions, relative_url

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from .._operations.registry import Operation, Registry

#: Files of Swagger UI, and files of this package.
ASSETS: t.Final = {
    "swagger-ui.css": "flask_swagger_ui/dist",
    "swagger-ui-bundle.js": "flask_swagger_ui/dist",
    "favicon-32x32.png": "flask_swagger_ui/dist",
    "oauth2-redirect.html": "flask_swagger_ui/dist",
    "oauth2-redirect.js": "flask_swagger_ui/dist",
    "initialize.js": "flask_signature/openapi/page",
    "page.css": "flask_signature/openapi/page",
}

#: By the extension. What Python would guess depends on the machine.
MIMETYPES: t.Final = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "png": "image/png",
}

#: A host that can be written in a policy: no wildcard, and no end of a directive.
HOST: t.Final = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*", re.ASCII)

#: Styles and scripts are files; the pictures of Swagger UI are in its style sheet.
#: Source: Content Security Policy Level 3.
POLICY: t.Final = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'self'",
}

#: A file that an option of the command names.
FILE: t.Final = click.Path(path_type=Path)

#: The format of a file by its extension.
FORMATS: t.Final = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}


def register_docs(app: flask.Flask, registry: Registry) -> None:
    """Serve the documents of an application and their pages, and add the command.

    :raises SignatureError: if the name of a blueprint is that of none.
    """
    found = list(descriptions(app, registry))
    # Where init_app() comes before the blueprints it can't be told yet, and is found
    # when the document is made.
    if any(isinstance(item, Routes) for item in app.blueprints.values()):
        for description in found:
            description.check_blueprints(app.blueprints)
    _warn_of_methods(registry.operations, found)
    blueprint = flask.Blueprint("flask_signature", __name__)
    for description in found:
        _add_routes(blueprint, description, found)
    app.register_blueprint(blueprint)
    if "openapi" not in app.cli.commands:
        app.cli.add_command(openapi_command(found))


def _warn_of_methods(
    operations: Iterable[Operation], found: Sequence[Description]
) -> None:
    """Warn of the operations that OpenAPI 3.1 has no word for."""
    for operation in operations:
        is_hidden = not operation.declaration.include_in_schema
        if is_hidden or any(one.version.has(operation.method) for one in found):
            continue
        problem = (
            f"OpenAPI 3.1 can't describe the method {operation.method}. Set"
            ' SIGNATURE_OPENAPI_VERSION = "3.2", or say include_in_schema=False.'
        )
        shown = f"{operation.method} {operation.template.path}"
        message = locate(shown, problem, operation.view_callable)
        warnings.warn(SignatureWarning(message), stacklevel=4)


def _add_routes(
    blueprint: flask.Blueprint, description: Description, all_: Sequence[Description]
) -> None:
    """Add the routes of one document, of its page and of the files of that."""
    settings, page = description.settings, description.docs_path
    suffix = f"_{description.name}" if description.name else ""

    def openapi() -> flask.Response:
        data, etag = description.rendered()
        response = flask.current_app.response_class(data, mimetype=JSON)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.set_etag(etag)
        return _not_modified(response)

    def docs() -> flask.Response:
        text = write_page(description, all_)
        response = flask.current_app.response_class(text, mimetype="text/html")
        return _protected(response, [*_origins(description)])

    def asset(name: str) -> flask.Response:
        package, _, folder = ASSETS[name].partition("/")
        response = flask.current_app.response_class(
            (files(package) / folder / name).read_bytes(),
            mimetype=MIMETYPES[name.rpartition(".")[2]],
        )
        return _protected(_not_modified(response))

    def decorate(view: Callable[..., t.Any]) -> Callable[..., t.Any]:
        for decorator in settings.docs_decorators:
            view = decorator(view)
        return view

    if settings.openapi_path is not None:
        endpoint = f"openapi{suffix}"
        blueprint.add_url_rule(settings.openapi_path, endpoint, decorate(openapi))
    if page is not None:
        names = ",".join(f'"{name}"' for name in ASSETS)
        files_of_page = f"{page.rstrip('/')}/<any({names}):name>"
        blueprint.add_url_rule(page, f"docs{suffix}", decorate(docs))
        blueprint.add_url_rule(files_of_page, f"asset{suffix}", asset)


def _not_modified(response: flask.Response) -> flask.Response:
    """A response that a client may keep and has to revalidate, which gives a 304.

    Source: RFC 9111, 5.2.2.4.
    """
    response.add_etag()
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(flask.request)
    return response


def _protected(response: flask.Response, origins: Sequence[str] = ()) -> flask.Response:
    """A response with a policy: it may reach this application, and some servers."""
    connect = " ".join([POLICY["connect-src"], *dict.fromkeys(origins)])
    policy = {**POLICY, "connect-src": connect}
    response.headers["Content-Security-Policy"] = "; ".join(
        f"{name} {sources}" for name, sources in policy.items()
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    return response


def write_page(description: Description, all_: Sequence[Description]) -> str:
    """The HTML of Swagger UI for one document, with links to those of the others."""
    settings = description.settings
    page, url = settings.docs_path or "/", settings.openapi_path or "/"
    base = page.rstrip("/")
    link = relative_url(url, page)
    data = {
        "url": link,
        "redirect": relative_url(f"{base}/oauth2-redirect.html", page),
        "parameters": settings.docs_parameters,
        "oauth": settings.docs_oauth or None,
    }
    values = {
        "title": description.title,
        "assets": relative_url(base or "/", page),
        "url": link,
        "settings": json.dumps(data),
    }
    escaped = {name: html.escape(value) for name, value in values.items()}
    template = files(__package__) / "page" / "index.html"
    return string.Template(template.read_text(encoding="utf-8")).substitute(
        escaped, links=_links(description, all_)
    )


def _links(description: Description, all_: Sequence[Description]) -> str:
    """Links to the pages of the other documents, if there are any."""
    page = description.docs_path or "/"
    links = [
        f'<a href="{html.escape(relative_url(other.docs_path, page))}">'
        f"{html.escape(other.title)}</a>"
        for other in all_
        if other is not description and other.docs_path is not None
    ]
    return f"<nav>{' '.join(links)}</nav>" if links else ""


def _origins(description: Description) -> Iterator[str]:
    """The servers that the document names: of the paths, and those that give tokens."""
    urls: list[str | None] = [
        server["url"] for server in description.settings.servers or ()
    ]
    for scheme in description.describe_schemes().values():
        urls.append(scheme.get("openIdConnectUrl"))
        for flow in scheme.get("flows", {}).values():
            urls += [flow.get("tokenUrl"), flow.get("refreshUrl")]
    for url in urls:
        origin = find_origin(str(url or ""))
        if origin is not None:
            yield origin


def find_origin(url: str) -> str | None:
    """The scheme, host and port of a URL, ``None`` if they can't be in a policy.

    Source: Content Security Policy Level 3, 2.3.1 (``host-source``).
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode()
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not HOST.fullmatch(host):
        return None
    return f"{parts.scheme}://{host}{port}"


def openapi_command(descriptions: Sequence[Description]) -> click.Command:
    """The command for the documents of one application."""
    by_name = {description.name: description for description in descriptions}

    @click.command("openapi")
    @click.option(
        "--format",
        "file_format",
        type=click.Choice(["json", "yaml"]),
        help="The format; that of the file's name, else JSON.",
    )
    @click.option("--output", type=FILE, help="Write to this file.")
    @click.option(
        "--check",
        type=FILE,
        help="Compare with this file, and fail with the difference if there is one.",
    )
    @click.option(
        "--document",
        "name",
        default="",
        help="The name of one of SIGNATURE_DOCUMENTS.",
    )
    @with_appcontext
    def command(
        file_format: str | None, output: Path | None, check: Path | None, name: str
    ) -> None:
        """Print the OpenAPI description of this application."""
        document = _find_document(by_name, name).build()
        path = output or check
        known = FORMATS.get(path.suffix.lower(), "json") if path else "json"
        text = write_text(document, file_format or known)
        if check is not None:
            check_file(check, text)
        if output is not None:
            output.write_text(text, encoding="utf-8", newline="\n")
        elif check is None:
            click.echo(text, nl=False)

    return command


def _find_document(by_name: Mapping[str, Description], name: str) -> Description:
    if name in by_name:
        return by_name[name]
    known = ", ".join(sorted(filter(None, by_name))) or "none"
    raise click.BadParameter(
        f"There is no document {name!r} in SIGNATURE_DOCUMENTS, which has {known}.",
        param_hint="--document",
    )


def write_text(document: dict[str, t.Any], file_format: str) -> str:
    """The text of a document for people to read and to compare.

    :raises ClickException: if YAML is asked for and PyYAML is not installed.
    """
    if file_format == "json":
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    try:
        import yaml
    except ImportError:
        message = "YAML needs PyYAML: pip install 'flask-signature[yaml]'."
        raise click.ClickException(message) from None

    class Dumper(yaml.SafeDumper):
        """One of its own: what is added to it is not added to PyYAML's."""

    def represent_text(dumper: t.Any, text: str) -> t.Any:
        style = "|" if "\n" in text else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represent_text)
    # A subclass of a plain type, such as a member of an enumeration, becomes plain, and
    # a value that occurs twice two of them: few readers know YAML's references.
    plain = json.loads(json.dumps(document))
    text: str = yaml.dump(plain, Dumper=Dumper, sort_keys=False, allow_unicode=True)
    return text


def check_file(path: Path, text: str) -> None:
    """Compare a file with what it should hold.

    :raises ClickException: if it holds something else, with the difference.
    """
    try:
        found = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise click.ClickException(f"{path} does not exist.") from None
    if found == text:
        return
    lines = difflib.unified_diff(
        found.splitlines(), text.splitlines(), str(path), "application", lineterm=""
    )
    difference = "\n".join(lines)
    raise click.ClickException(
        f"{path} is not the OpenAPI document of this application. Write it again with"
        f" 'flask openapi --output {path}'.\n{difference}"
    )
