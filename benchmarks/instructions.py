"""``python -m benchmarks.instructions``: instructions of a request, by callgrind.

Times differ from run to run, instructions hardly do. Valgrind runs an interpreter that
answers a few requests, then one that answers many; the difference, divided, is what one
request costs, without the start of the interpreter.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import report
from .contender import OURS
from .contender import UNIT
from .contender import Contender
from .gateway import make_environ
from .scenario import SCENARIOS

CONTENDERS = (UNIT, OURS, "handwritten")
CHOSEN = ("scalars", "json", "refused")
FEW, MANY = 20, 120


def count_instructions(contender: str, scenario: str) -> float:
    """The instructions of one request."""
    few, many = (_run(contender, scenario, count) for count in (FEW, MANY))
    return (many - few) / (MANY - FEW)


def _run(contender: str, scenario: str, requests: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "callgrind.out")
        program = [sys.executable, "-m", __spec__.name, "--answer"]
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        # A random seed would order dictionaries of strings differently in each run.
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        subprocess.run(
            [*valgrind, *program, contender, scenario, str(requests)],
            check=True,
            capture_output=True,
            env=environment,
        )
        total = re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.MULTILINE)
    if total is None:
        raise RuntimeError("callgrind gave no total")
    return int(total[1])


def answer(contender: str, scenario: str, requests: int) -> None:
    """What runs under Valgrind: always as many environs, but not as many answers."""
    (chosen,) = (each for each in SCENARIOS if each.name == scenario)
    Contender(contender).time(chosen, requests)
    for _ in range(MANY - requests):
        make_environ(chosen.request)


def main() -> None:
    """Count, and print a table."""
    parser = argparse.ArgumentParser("python -m benchmarks.instructions")
    parser.add_argument("--answer", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.answer:
        contender, scenario, requests = arguments.answer
        return answer(contender, scenario, int(requests))
    if shutil.which("valgrind") is None:
        raise SystemExit("valgrind is not installed")
    print(report.table(["", *CHOSEN], _rows()))
    return None


def _rows() -> list[list[str]]:
    pairs = [(contender, each) for contender in CONTENDERS for each in CHOSEN]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = list(pool.map(lambda pair: count_instructions(*pair), pairs))
    found = dict(zip(pairs, counts, strict=True))
    rows = []
    for contender in CONTENDERS:
        cells = [
            f"{found[contender, each]:,.0f} ({ratio:.2f})"
            for each in CHOSEN
            for ratio in [found[contender, each] / found[UNIT, each]]
        ]
        rows.append([Contender(contender).title, *cells])
    return rows


if __name__ == "__main__":
    main()
