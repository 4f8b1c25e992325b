"""A run as Markdown and as JSON, and the tables of the README."""

from __future__ import annotations

import json
import typing as t
from dataclasses import asdict, dataclass, field

from .contender import Contender
from .scenario import APPLICATIONS, NEEDS
from .timing import Ratio

if t.TYPE_CHECKING:
    from pathlib import Path

    from .memory import Growth
    from .race import Row
    from .scenario import Scenario

BEGIN = "<!-- begin of the {}: written by the command -->"
END = "<!-- end of the {} -->"
NONE = "n/a"
RATIOS = (
    "Time of a request as a ratio to bare Flask: the **median** of the rounds, and the "
    "ratio of the minima."
)


@dataclass
class Run:
    """Everything that one execution of the command found out."""

    contenders: list[Contender]
    scenarios: list[Scenario]
    machine: str
    date: str
    rounds: int
    answers: dict[str, Row] = field(default_factory=dict)
    startup: dict[str, Row] = field(default_factory=dict)
    memory: dict[str, Growth] = field(default_factory=dict)

    @property
    def titles(self) -> dict[str, str]:
        """The names of the contenders that took part."""
        rows = [*self.answers.values(), *self.startup.values()]
        cells = [cell for row in rows for cell in row.items()]
        present = {name for name, cell in cells if isinstance(cell, Ratio)}
        present.update(self.memory)
        return {
            each.name: each.title for each in self.contenders if each.name in present
        }

    @property
    def versions(self) -> dict[str, str]:
        """The version of each distribution."""
        return {
            name: version
            for contender in self.contenders
            if contender.name in self.titles
            for name, version in contender.versions.items()
        }


def to_json(run: Run) -> str:
    """Every figure, for whoever wants to draw another plot."""

    def encode(row: Row) -> dict[str, t.Any]:
        return {
            name: cell if isinstance(cell, str) else asdict(cell)
            for name, cell in row.items()
        }

    value = {
        "machine": run.machine,
        "date": run.date,
        "rounds": run.rounds,
        "versions": run.versions,
        "answers": {name: encode(row) for name, row in run.answers.items()},
        "startup": {name: encode(row) for name, row in run.startup.items()},
        "memory": {name: asdict(growth) for name, growth in run.memory.items()},
    }
    return json.dumps(value, indent=1) + "\n"


def to_markdown(run: Run) -> str:
    """The tables of the README: requests, start-up, memory."""
    parts = [_preamble(run)]
    for caption, scenarios in _divide(run):
        parts += [caption, _answer_table(run, scenarios)]
    if run.startup:
        parts += ["**Start-up**, median ratio (and milliseconds):", _startup_table(run)]
    if run.memory:
        parts += ["**Memory** that stays after the requests:", _memory_table(run)]
    return "\n\n".join(parts) + "\n"


def to_markdown_in_full(run: Run) -> str:
    """The tables of the README, then each figure with its spread."""
    parts = [to_markdown(run)]
    for scenario in run.scenarios:
        if scenario.name in run.answers:
            parts.append(f"## {scenario.title}\n")
            parts.append(_spread_table(run, run.answers[scenario.name]))
    for name, row in run.startup.items():
        parts.append(f"## {STARTUP[name]}\n")
        parts.append(_spread_table(run, row))
    return "\n".join(parts)


STARTUP = {
    "import": "import, to `import flask, pydantic`",
    "catalogue": "registering 1,000 routes, to bare Flask",
    "document": "their document, to Pydantic's schemas alone",
    "cached": "the document again, to a constant",
}


def _preamble(run: Run) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in run.versions.items())
    return f"{run.date}, {run.machine}, {run.rounds} rounds. {versions}."


def _divide(run: Run) -> list[tuple[str, list[Scenario]]]:
    """What was answered, in tables that are not too wide, each with its caption."""
    asked = [each for each in run.scenarios if each.name in run.answers]
    others = (*APPLICATIONS, *NEEDS)
    tables = {
        RATIOS: [each for each in asked if each.name not in others],
        "The same in other **applications**:": [
            each for each in asked if each.name in APPLICATIONS
        ],
        "The same where a view **needs** more than values:": [
            each for each in asked if each.name in NEEDS
        ],
    }
    return [(caption, found) for caption, found in tables.items() if found]


def _answer_table(run: Run, scenarios: list[Scenario]) -> str:
    def spell(ratio: Ratio) -> str:
        return f"{spell_number(ratio.median)} ({spell_number(ratio.minimum)})"

    rows = [
        [title, *(_cell(run.answers[each.name], name, spell) for each in scenarios)]
        for name, title in run.titles.items()
    ]
    return table(["", *(scenario.title for scenario in scenarios)], rows)


def _startup_table(run: Run) -> str:
    def spell(ratio: Ratio) -> str:
        return f"{spell_number(ratio.median)} ({ratio.seconds * 1000:.3g})"

    rows = [
        [title, *(_cell(row, name, spell) for row in run.startup.values())]
        for name, title in run.titles.items()
    ]
    return table(["", *(STARTUP[name] for name in run.startup)], rows)


def _memory_table(run: Run) -> str:
    rows = [
        [run.titles[name], f"{growth.bytes / 1024:.1f}", f"{growth.objects:,}"]
        for name, growth in run.memory.items()
    ]
    return table(["", "KiB", "objects"], rows)


def _spread_table(run: Run, row: Row) -> str:
    rows = []
    for name, cell in row.items():
        if isinstance(cell, str):
            continue
        spread = f"{spell_number(cell.low)} to {spell_number(cell.high)}"
        microseconds = f"{cell.seconds * 1e6:,.1f}"
        title = run.titles.get(name, name)
        rows.append(
            [
                title,
                spell_number(cell.median),
                spread,
                spell_number(cell.minimum),
                microseconds,
            ]
        )
    return table(["", "median", "quartiles", "minimum", "µs"], rows) + "\n"


def _cell(row: Row, name: str, spell: t.Callable[[Ratio], str]) -> str:
    cell = row.get(name, NONE)
    return NONE if isinstance(cell, str) else spell(cell)


def spell_number(value: float) -> str:
    """A ratio as it stands in the tables."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown, whose first column holds names."""
    rule = ["---", *["--:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, rule, *rows])


def write_section(readme: Path, name: str, section: str) -> None:
    """Put the tables between the markers of that name."""
    begin, end = BEGIN.format(name), END.format(name)
    text = readme.read_text(encoding="utf-8")
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    readme.write_text(f"{before}{begin}\n\n{section}\n{end}{after}", encoding="utf-8")
