"""The command ``flask openapi``."""

from __future__ import annotations

import json
import sys

import click
import pytest
from flask.testing import FlaskCliRunner
from pydantic import BaseModel

from flask_signature import Flask


class Item(BaseModel):
    """Ein Gerät.

    Mit Namen.
    """

    name: str


@pytest.fixture
def runner() -> FlaskCliRunner:
    app = Flask("shop")
    app.config["SIGNATURE_DOCUMENTS"] = {"none": {"tags": ["None"]}}

    @app.get("/items")
    def items() -> list[Item]: ...

    app.init_app()
    return app.test_cli_runner()


def expected(runner: FlaskCliRunner) -> dict[str, object]:
    document: dict[str, object] = (
        runner.app.test_client().get("/openapi.json").get_json()
    )
    return document


def test_document_is_printed_as_json(runner):
    result = runner.invoke(args=["openapi"])

    assert result.exit_code == 0
    assert json.loads(result.output) == expected(runner)
    assert '\n  "openapi": "3.1.0"' in result.output
    assert "Ein Gerät.\\n\\nMit Namen." in result.output


def test_document_is_printed_as_yaml(runner):
    yaml = pytest.importorskip("yaml")
    result = runner.invoke(args=["openapi", "--format", "yaml"])

    assert yaml.safe_load(result.output) == expected(runner)
    assert result.output.startswith("openapi: 3.1.0\ninfo:\n")
    assert (
        "      description: |-\n        Ein Gerät.\n\n        Mit Namen.\n"
        in result.output
    )
    assert "&id" not in result.output


def test_yaml_asks_for_its_package(runner, monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    result = runner.invoke(args=["openapi", "--format", "yaml"])

    assert result.exit_code == 1
    assert result.output == (
        "Error: YAML needs PyYAML: pip install 'flask-signature[yaml]'.\n"
    )


@pytest.mark.parametrize("name", ["api.json", "api.yaml", "api.yml", "api"])
def test_file_is_written_and_checked(runner, tmp_path, name):
    if "y" in name:
        pytest.importorskip("yaml")
    path = tmp_path / name
    written = runner.invoke(args=["openapi", "--output", str(path)])
    checked = runner.invoke(args=["openapi", "--check", str(path)])

    assert (written.exit_code, written.output) == (0, "")
    assert (checked.exit_code, checked.output) == (0, "")
    assert path.read_text("utf-8").startswith("openapi:" if "y" in name else "{\n")


def test_difference_is_shown(runner, tmp_path):
    path = tmp_path / "api.json"
    runner.invoke(args=["openapi", "--output", str(path)])
    path.write_text(path.read_text("utf-8").replace('"0.1.0"', '"0.0.9"'), "utf-8")
    result = runner.invoke(args=["openapi", "--check", str(path)])

    assert result.exit_code == 1
    assert f"{path} is not the OpenAPI document of this application." in result.output
    assert f"'flask openapi --output {path}'" in result.output
    assert '\n-    "version": "0.0.9"\n+    "version": "0.1.0"\n' in result.output


def test_file_that_is_missing_does_not_pass(runner, tmp_path):
    result = runner.invoke(args=["openapi", "--check", str(tmp_path / "none.json")])
    assert result.exit_code == 1
    assert result.output.endswith("none.json does not exist.\n")


def test_command_of_the_application_itself_is_kept():
    app = Flask("shop")

    @app.cli.command("openapi")
    def own() -> None:
        click.echo("own")

    app.init_app()
    assert app.test_cli_runner().invoke(args=["openapi"]).output == "own\n"


def test_document_is_found_by_its_name(runner):
    found = runner.invoke(args=["openapi", "--document", "none"])
    missing = runner.invoke(args=["openapi", "--document", "some"])

    assert json.loads(found.output)["paths"] == {}
    assert missing.exit_code == 2
    assert (
        "There is no document 'some' in SIGNATURE_DOCUMENTS, which has none."
        in missing.output
    )
