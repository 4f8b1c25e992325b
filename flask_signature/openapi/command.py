"""The command ``flask openapi``: the description, printed, written or checked."""

from __future__ import annotations

import difflib
import json
import typing as t
from pathlib import Path

import click
from flask.cli import with_appcontext

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from . import Description

FILE: t.Final = click.Path(path_type=Path)

#: The format of a file by its extension.
FORMATS: t.Final = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}


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
        text = write_text(document, file_format or _format_of(output or check))
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


def _format_of(path: Path | None) -> str:
    return FORMATS.get(path.suffix.lower(), "json") if path else "json"


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
        """Repeats a value that occurs twice: few readers know YAML's references."""

        def ignore_aliases(self, data: t.Any) -> bool:
            return True

    def represent_text(dumper: t.Any, text: str) -> t.Any:
        style = "|" if "\n" in text else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represent_text)
    # A subclass of a plain type, such as a member of an enumeration, becomes plain.
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
        f"{path} is not the description of this application. Write it again with"
        f" 'flask openapi --output {path}'.\n{difference}"
    )
