"""``python -m benchmarks.instructions``: instructions of a request, by callgrind.

Times differ from run to run, instructions hardly do. Valgrind runs an interpreter that
answers the scenarios in turn, and writes down what it has counted whenever the clock of
the gateway is read, which is before the first of some requests and after the last.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import typing as t
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import machine, race, report
from .contender import UNIT, Contender
from .scenario import SCENARIOS, Scenario

HERE = Path(__file__).parent
CONTENDERS = (
    UNIT,
    "bare_on_ours",
    "ours",
    "ours_plain_cycle",
    "handwritten",
    "blacksheep",
    "falcon",
    "fastapi",
    "litestar",
)
CHOSEN = (
    "hello",
    "scalars",
    "query",
    "json",
    "json-60k",
    "dicts",
    "models",
    "refused",
    "form",
    "upload",
    "nested",
    "secret",
    "hooks",
    "teardown",
    "usual",
    "by-hand",
)
# Python adapts its code to what it has seen in the first of them.
FIRST, COUNT = 50, 50

Counts = dict[str, float]


def count_instructions(contender: str) -> Counts:
    """The instructions of one request, of each scenario that the contender can do."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "callgrind.out")
        program = [sys.executable, "-m", __spec__.name, "--answer", contender]
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        # A random seed would order dictionaries of strings differently in each run.
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            [*valgrind, "--dump-before=getppid", *program],
            check=True,
            capture_output=True,
            env=environment,
            text=True,
        )
        # The first is what came before; then every other one is between two scenarios.
        parts = [f"{out}.{2 * n + 2}" for n in range(len(done.stdout.split()))]
        totals = [_read_total(Path(part)) for part in parts]
    pairs = zip(done.stdout.split(), totals, strict=True)
    return {scenario: total / COUNT for scenario, total in pairs}


def _read_total(file: Path) -> int:
    found = re.search(r"^(?:totals|summary): (\d+)", file.read_text(), re.MULTILINE)
    if found is None:
        message = f"callgrind gave no total in {file.name}"
        raise RuntimeError(message)
    return int(found[1])


def answer(name: str) -> None:
    """What runs under Valgrind; prints the scenarios that it has counted."""
    contender = Contender(name)
    for scenario in chosen_scenarios():
        check = functools.partial(Contender.check, scenario=scenario)
        able, _ = race.select([contender], check)
        if able:
            contender.time(scenario, FIRST)
            race.settle()
            contender.time(scenario, COUNT, clock=_mark)
            print(scenario.name)


def _mark() -> int:
    """Nothing that matters, by a function that nobody else calls."""
    return os.getppid()


def chosen_scenarios() -> list[Scenario]:
    """What is counted."""
    return [each for each in SCENARIOS if each.name in CHOSEN]


def to_markdown(found: dict[str, Counts]) -> str:
    """A row for each contender: ratios to the unit, and thousands of instructions."""
    rows = []
    for contender, counts in found.items():
        cells = [_cell(counts, found[UNIT], each.name) for each in chosen_scenarios()]
        rows.append([Contender(contender).title, *cells])
    titles = [scenario.title for scenario in chosen_scenarios()]
    preamble = f"{machine.today()}, {machine.describe_machine()}, {_versions(found)}."
    return f"{preamble}\n\n{report.table(['', *titles], rows)}\n"


def _cell(counts: Counts, unit: Counts, scenario: str) -> str:
    if scenario not in counts:
        return report.NONE
    ratio = counts[scenario] / unit[scenario]
    return f"{report.spell_number(ratio)} ({counts[scenario] / 1000:,.0f})"


def _versions(found: t.Iterable[str]) -> str:
    versions = [Contender(name).versions for name in found]
    pairs = [pair for each in versions for pair in each.items()]
    return ", ".join(f"{name} {number}" for name, number in dict(pairs).items())


def main() -> None:
    """Count, print a table, write it."""
    parser = argparse.ArgumentParser("python -m benchmarks.instructions")
    add = parser.add_argument
    add("--answer", help=argparse.SUPPRESS)
    add("--contender", action="append", help="only this one, and the unit")
    add("--output", type=Path, default=HERE / "results", help="the folder")
    arguments = parser.parse_args()
    if arguments.answer:
        return answer(arguments.answer)
    if shutil.which("valgrind") is None:
        raise SystemExit("valgrind is not installed")
    chosen = arguments.contender or CONTENDERS
    able, _ = race.select(map(Contender, (UNIT, *chosen)), lambda each: each.title)
    names = list(dict.fromkeys(each.name for each in able))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(names, pool.map(count_instructions, names), strict=True))
    table = to_markdown(found)
    print(table)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "instructions.md").write_text(table, encoding="utf-8")
    if not arguments.contender and arguments.output == HERE / "results":
        report.write_section(HERE / "README.md", "instructions", table)
    return None


if __name__ == "__main__":
    main()
