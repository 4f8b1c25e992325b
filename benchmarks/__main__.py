"""``python -m benchmarks``: measure, compare, write the results."""

from __future__ import annotations

import argparse
import sys
import typing as t
from pathlib import Path

from . import machine, memory, overview, plot, race, report, startup
from .contender import UNIT, Contender, find_contenders
from .scenario import SCENARIOS

HERE = Path(__file__).parent
RESULTS = HERE / "results"
ONCE = ("import", "catalogue", "document", "cached", "memory")


def parse_arguments(argv: t.Sequence[str] | None = None) -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    names = [scenario.name for scenario in SCENARIOS]
    add = parser.add_argument
    add("--rounds", type=int, default=41, help="slices of each contender (41)")
    add("--scenario", action="append", choices=[*names, *ONCE], help="only this one")
    add("--contender", action="append", help="only this one, and the unit")
    add("--quick", action="store_true", help="short slices, few rounds: a first look")
    add("--output", type=Path, default=RESULTS, help="the folder for the results")
    arguments = parser.parse_args(argv)
    if arguments.quick:
        arguments.rounds = min(arguments.rounds, 7)
    arguments.slice_seconds = 0.002 if arguments.quick else 0.01
    return arguments


def choose_contenders(names: list[str] | None) -> list[Contender]:
    """The contenders asked for, and always the unit."""
    contenders = find_contenders()
    if names is None:
        return contenders
    unknown = set(names) - {contender.name for contender in contenders}
    if unknown:
        raise SystemExit(f"no such contender: {', '.join(sorted(unknown))}")
    return [each for each in contenders if each.name in {UNIT, *names}]


def measure(arguments: argparse.Namespace) -> report.Run:
    """Everything that was asked for, measured."""
    chosen = arguments.scenario or [*(each.name for each in SCENARIOS), *ONCE]
    run = report.Run(
        contenders=choose_contenders(arguments.contender),
        scenarios=list(SCENARIOS),
        machine=machine.describe_machine(),
        date=machine.today(),
        rounds=arguments.rounds,
    )
    measure_answers(run, arguments, chosen)
    measure_startup(run, arguments, chosen)
    if "memory" in chosen:
        say("memory")
        requests = memory.REQUESTS // (10 if arguments.quick else 1)
        run.memory = memory.grow_all(run.contenders, run.scenarios, requests=requests)
    return run


def measure_answers(
    run: report.Run, arguments: argparse.Namespace, chosen: list[str]
) -> None:
    """Add a row for each scenario."""
    for scenario in run.scenarios:
        if scenario.name in chosen:
            say(scenario.name)
            run.answers[scenario.name] = race.run(
                scenario,
                run.contenders,
                rounds=arguments.rounds,
                slice_seconds=arguments.slice_seconds,
            )


def measure_startup(
    run: report.Run, arguments: argparse.Namespace, chosen: list[str]
) -> None:
    """Add a row for each thing that happens once."""
    few, fewer = min(arguments.rounds, 15), max(3, arguments.rounds // 10)
    contenders = run.contenders
    rows: dict[str, t.Callable[[], race.Row]] = {
        "import": lambda: startup.import_times(contenders, rounds=few),
        "catalogue": lambda: startup.catalogue_times(contenders, rounds=fewer),
        "document": lambda: startup.document_times(contenders, rounds=fewer),
        "cached": lambda: startup.cached_document_times(
            contenders, rounds=fewer, slice_seconds=arguments.slice_seconds
        ),
    }
    for name, row in rows.items():
        if name in chosen:
            say(name)
            run.startup[name] = row()


def say(name: str) -> None:
    """Tell on the terminal what is being measured."""
    print(name, file=sys.stderr, flush=True)


def write(run: report.Run, folder: Path) -> None:
    """The tables, the figures and the picture."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = report.to_markdown_in_full(run)
    (folder / "results.md").write_text(tables, encoding="utf-8")
    (folder / "results.json").write_text(report.to_json(run), encoding="utf-8")
    if run.answers:
        try:
            plot.draw(run, folder / "ratios.svg")
        except ImportError:
            say("no picture: matplotlib is not installed")


def main() -> None:
    """Measure and write; the README only after everything was measured in full."""
    arguments = parse_arguments()
    run = measure(arguments)
    print(report.to_markdown(run))
    write(run, arguments.output)
    partial = arguments.quick or arguments.scenario or arguments.contender
    if not partial and arguments.output == RESULTS:
        report.write_section(HERE / "README.md", "results", report.to_markdown(run))
        overview.write()


if __name__ == "__main__":
    main()
