"""What is built from the repository, and that it can be installed."""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from configparser import ConfigParser
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Left behind by tools, never part of the repository.
LEFTOVERS = shutil.ignore_patterns(
    *(".*_cache", ".git", ".hypothesis", ".tox", ".venv", "*.egg-info"),
    *("__pycache__", "build", "dist", "mutants", "node_modules", "venv"),
)

PROGRAM = """
from flask_signature import Flask

app = Flask("shop")

@app.get("/double")
def double(number: int) -> str:
    return str(2 * number)

app.init_app()
client = app.test_client()
print(client.get("/double?number=21").text)
print(client.get("/double?number=x").status_code)
print(client.get("/openapi.json").status_code)
print(client.get("/docs", follow_redirects=True).status_code)
"""


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints; a command that fails is an error with its output."""
    result = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, so that building leaves no trace in it."""
    copy = tmp_path_factory.mktemp("repository") / "tree"
    shutil.copytree(ROOT, copy, ignore=LEFTOVERS)
    return copy


@pytest.fixture(scope="session")
def dist(tree: Path) -> Path:
    """The folder with the source distribution, and the wheel made from it."""
    run(sys.executable, "-m", "build", cwd=tree)
    return tree / "dist"


@pytest.fixture(scope="session")
def wheel(dist: Path) -> zipfile.ZipFile:
    (path,) = dist.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="session")
def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
    return email.message_from_bytes(wheel.read(name))


def test_the_wheel_holds_the_package_only(wheel):
    top = {name.partition("/")[0] for name in wheel.namelist()}
    assert top == {"flask_signature", f"flask_signature-{version()}.dist-info"}


def test_the_first_heading_of_the_changes_is_the_version():
    changes = (ROOT / "CHANGES.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## Version (\S+)$", changes, re.MULTILINE)

    assert versions[0] == version()


def version() -> str:
    """The version that ``setup.cfg`` says."""
    configuration = ConfigParser()
    configuration.read(ROOT / "setup.cfg", encoding="utf-8")
    return configuration["metadata"]["version"]


def test_the_wheel_holds_every_file_of_the_package(wheel, tree):
    files = (tree / "flask_signature").rglob("*")
    expected = {path.relative_to(tree).as_posix() for path in files if path.is_file()}
    packed = {name for name in wheel.namelist() if name.startswith("flask_signature/")}
    assert packed == expected
    assert "flask_signature/py.typed" in packed


def test_the_metadata_names_licence_python_and_requirements(metadata):
    required = metadata.get_all("Requires-Dist")
    assert metadata["Name"] == "flask-signature"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.10"
    assert [line for line in required if "extra ==" not in line] == [
        "flask>=3.0",
        "pydantic>=2.13",
        "flask-swagger-ui>=5.32.1.post2",
    ]


def test_the_source_distribution_holds_tests_and_sample(dist):
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= {
        "CHANGES.md",
        "LICENSE",
        "README.md",
        "sample_app/__init__.py",
        "tests/package/test_packaging.py",
        "tests/requirements.txt",
        "tox.ini",
    }


ADDRESSES = {
    "repository": "https://forge.test/flask_signature",
    "site": "https://docs.forge.test/",
}


def test_what_needs_an_address_is_left_out_while_there_is_none(metadata):
    text = metadata.get_payload()

    assert metadata.get_all("Project-URL") is None
    # Python's own pages, and addresses that are written out.
    assert re.findall(r"\]\((?!https?://|#)[^)]*\)", text) == []
    assert "![" not in text
    assert "The guide: requests, responses" in text


def test_addresses_are_named_in_one_place(tree, tmp_path):
    copy = tmp_path / "tree"
    shutil.copytree(tree, copy, ignore=shutil.ignore_patterns("dist", "build"))
    settings = (copy / "setup.cfg").read_text(encoding="utf-8")
    for name, url in ADDRESSES.items():
        settings = settings.replace(f"\n{name} =\n", f"\n{name} = {url}\n")
    (copy / "setup.cfg").write_text(settings, encoding="utf-8")
    run(sys.executable, "-m", "build", "--wheel", cwd=copy)
    (path,) = (copy / "dist").glob("*.whl")
    archive = zipfile.ZipFile(path)
    (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
    metadata = email.message_from_bytes(archive.read(name))

    repository = ADDRESSES["repository"]
    assert metadata.get_all("Project-URL") == [
        "Documentation, https://docs.forge.test",
        "Changes, https://docs.forge.test/changes.html",
        f"Source, {repository}",
        f"Issues, {repository}/issues",
    ]
    targets = re.findall(rf"\]\({repository}/(?:raw|blob)/main/([^)#]+)", str(metadata))
    assert "docs/page.png" in targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_distributions_pass_the_checks_of_an_index(dist):
    run(sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir(), cwd=dist)


#: The oldest versions that setup.cfg allows, and Werkzeug's of that time.
OLDEST = (
    *("Flask==3.0.0", "Werkzeug==3.0.6", "pydantic==2.13.0"),
    "flask-swagger-ui==5.32.1.post2",
)


@pytest.mark.parametrize(
    "how", [["."], ["-e", "."], [".", *OLDEST]], ids=["copied", "editable", "oldest"]
)
def test_an_installed_package_serves_requests(how, tree, tmp_path):
    run(sys.executable, "-m", "venv", "env", cwd=tmp_path)
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", *how, cwd=tree)
    printed = run(python, "-W", "error", "-c", PROGRAM, cwd=tmp_path)
    assert printed.split() == ["42", "422", "200", "200"]


def test_an_editable_install_is_a_path_that_type_checkers_follow(tree, tmp_path):
    run(sys.executable, "-m", "venv", "env", cwd=tmp_path)
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--no-deps", "-e", ".", cwd=tree)

    (path,) = (tmp_path / "env").rglob("__editable__*flask_signature*.pth")
    assert path.read_text(encoding="utf-8").strip() == str(tree)
