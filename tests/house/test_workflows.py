"""The workflows run every environment, with no more rights than they need."""

from __future__ import annotations

import re
import typing as t
from configparser import ConfigParser
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

ROOT: t.Final = Path(__file__).parents[2]
WORKFLOWS: t.Final = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
}
JOBS: t.Final = [
    (name, job) for name, item in WORKFLOWS.items() for job in item["jobs"].values()
]
TOX: t.Final = ConfigParser(interpolation=None)
TOX.read(ROOT / "tox.ini", encoding="utf-8")


def environments() -> set[str]:
    """The environments that ``tox`` runs by itself."""
    found = set()
    for line in filter(None, TOX["tox"]["env_list"].split("\n")):
        start, _, rest = line.partition("{")
        found |= {start + item.strip() for item in rest.rstrip("}").split(",")}
    return found


def rows() -> list[dict[str, str]]:
    matrices = [job["strategy"]["matrix"] for _, job in JOBS if "strategy" in job]
    return [row for matrix in matrices for row in matrix["include"]]


def test_each_environment_has_a_job():
    assert sorted(row["environment"] for row in rows()) == sorted(environments())


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["environment"])
def test_a_job_has_the_python_that_its_environment_needs(row):
    name, python = row["environment"], f"python{row['python']}"
    own = re.fullmatch(r"py3(\d+)", name)
    section = f"testenv:{name}"
    if own:
        assert python == f"python3.{own[1]}"
    elif section in TOX and "base_python" in TOX[section]:
        assert python in TOX[section]["base_python"]


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_actions_are_pinned_by_a_hash_with_their_version_beside(name, job):
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    used = [step["uses"] for step in job["steps"] if "uses" in step]

    assert used
    for action in used:
        assert re.search(rf"{re.escape(action)}  # v\d+\.\d+\.\d+\n", text), action
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_a_job_has_the_rights_that_it_needs_alone(name, job):
    workflow = WORKFLOWS[name]
    rights = job["permissions"].items()

    assert workflow["permissions"] == {}
    assert "concurrency" in workflow
    assert "timeout-minutes" in job
    written = {right for right, value in rights if value != "read"}
    assert not written or (name == "publish" and "environment" in job)


def test_nothing_that_is_published_is_built_again():
    jobs = WORKFLOWS["publish"]["jobs"]
    build, publish = jobs["build"], jobs["publish"]

    assert publish["needs"] == "build"
    assert [step for step in publish["steps"] if "run" in step] == []
    assert "secrets." not in str(WORKFLOWS)
    assert "contents" not in publish["permissions"]
    assert build["permissions"] == {"contents": "read"}
