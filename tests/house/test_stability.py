"""What the page about stability says of versions is what the package asks for."""

from __future__ import annotations

import re
import typing as t
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT: t.Final = Path(__file__).parents[2]
PAGE: t.Final = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
SETTINGS: t.Final = ConfigParser(interpolation=None)
SETTINGS.read(ROOT / "setup.cfg", encoding="utf-8")


def supported(name: str) -> str:
    """What the page says is supported of something."""
    (found,) = re.findall(rf"^\| {name} \| (.*?) \|", PAGE, re.MULTILINE)
    return str(found)


def test_each_python_of_the_classifiers_is_supported():
    classifiers = SETTINGS["metadata"]["classifiers"]
    minors = sorted(map(int, re.findall(r":: 3\.(\d+)$", classifiers, re.MULTILINE)))

    assert supported("Python") == f"3.{minors[0]} to 3.{minors[-1]}"
    assert minors == [*range(minors[0], minors[-1] + 1)]
    assert SETTINGS["options"]["python_requires"] == f">=3.{minors[0]}"


@pytest.mark.parametrize("name", ["Flask", "Pydantic"])
def test_oldest_version_is_that_of_the_requirements(name):
    required = SETTINGS["options"]["install_requires"]
    (oldest,) = re.findall(rf"^{name.lower()}>=(\S+)$", required, re.MULTILINE)

    assert supported(name).startswith(f"{oldest} ")


def test_status_is_that_of_the_classifier():
    status = re.findall(
        r"Development Status :: \d - (\w+)", str(dict(SETTINGS["metadata"]))
    )

    assert status == ["Beta"]
    assert "the package is a beta" in PAGE
