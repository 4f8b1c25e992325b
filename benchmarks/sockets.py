"""``python -m benchmarks.sockets``: requests per second over sockets on loopback.

Every server runs from the beginning to the end, with one worker. They are loaded in
turns, a second each, so that what slows the machine for a while slows all of them; the
figure is the median over the rounds. Where there are two cores, the servers share one
and the client has the other.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from . import load, machine, plot, report, servers, timing
from .contender import Contender, Unable
from .scenario import SCENARIOS, Scenario

HERE = Path(__file__).parent
CHOSEN = ("hello", "json")


@dataclass(frozen=True, slots=True)
class Pair:
    """A contender on a server."""

    server: servers.Server
    contender: Contender


Rates = dict[str, list[load.Rate]]


def parse_arguments() -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser("python -m benchmarks.sockets")
    add = parser.add_argument
    add("--rounds", type=int, default=7, help="slices of each pair (7)")
    add("--seconds", type=int, default=1, help="of a slice (1)")
    add("--contender", action="append", help="only this one; may be repeated")
    add("--output", type=Path, default=HERE / "results", help="the folder")
    return parser.parse_args()


def find_pairs(chosen: list[str] | None) -> list[Pair]:
    """What is installed of the servers and their contenders."""
    pairs = []
    for server in servers.SERVERS:
        for name in server.contenders:
            contender = Contender(name)
            if server.versions and is_installed(contender):
                pairs.append(Pair(server, contender))
    return [pair for pair in pairs if not chosen or pair.contender.name in chosen]


def is_installed(contender: Contender) -> bool:
    """Whether what it needs is there."""
    try:
        return bool(contender.title)
    except Unable:
        return False


def measure(pairs: list[Pair], *, rounds: int, seconds: int) -> Rates:
    """The rates of each scenario, in the order of the pairs."""
    with contextlib.ExitStack() as stack:
        ports = []
        for pair in pairs:
            say(f"{pair.server.name}: {pair.contender.name}")
            serving = servers.serve(pair.server, pair.contender.name)
            ports.append(stack.enter_context(serving))
        return {
            scenario.name: _measure(scenario, ports, rounds=rounds, seconds=seconds)
            for scenario in chosen_scenarios()
        }


def _measure(
    scenario: Scenario, ports: list[int], *, rounds: int, seconds: int
) -> list[load.Rate]:
    say(scenario.name)
    found: list[list[load.Load]] = [[] for _ in ports]
    for port in ports:
        servers.check(port, scenario)
    # The first round fills caches, and is not counted.
    for number in range(rounds + 1):
        for place in timing.in_turns(list(range(len(ports))), number):
            one = load.press(ports[place], scenario.request, seconds=seconds)
            if number:
                found[place].append(one)
    return [load.summarize(loads) for loads in found]


def chosen_scenarios() -> list[Scenario]:
    """What is asked."""
    return [each for each in SCENARIOS if each.name in CHOSEN]


def to_markdown(pairs: list[Pair], rates: Rates, preamble: str) -> str:
    """The table: a row for each pair, and the quartiles beside each median."""
    head = ["server", ""]
    for scenario in chosen_scenarios():
        head += [f"{scenario.title}, requests/s", "quartiles"]
    rows = []
    for place, pair in enumerate(pairs):
        row = [pair.server.name, pair.contender.title]
        for scenario in chosen_scenarios():
            rate = rates[scenario.name][place]
            row += [f"{rate.median:,.0f}", f"{rate.low:,.0f} to {rate.high:,.0f}"]
        rows.append(row)
    return f"{preamble}\n\n{report.table(head, rows)}\n"


def describe(pairs: list[Pair], rates: Rates, arguments: argparse.Namespace) -> str:
    """When, where, with which versions, and whether the client was fast enough."""
    names = {"wrk": load.version() or ""}
    for pair in pairs:
        names |= pair.contender.versions
        names |= pair.server.versions
    versions = ", ".join(f"{name} {number}" for name, number in names.items())
    busy = max(rate.busy for row in rates.values() for rate in row)
    cores = "a core each for servers and client"
    if len(servers.usable_cores()) < 2:
        cores = "servers and client on the same core"
    return (
        f"{machine.today()}, {machine.describe_machine()}, {cores}. "
        f"{arguments.rounds} rounds of {arguments.seconds} s, "
        f"{load.CONNECTIONS} connections; the client used at most {busy:.0%} of its "
        f"core. {versions}."
    )


def to_json(pairs: list[Pair], rates: Rates, preamble: str) -> str:
    """Every figure."""
    found = [
        {
            "server": pair.server.name,
            "contender": pair.contender.name,
            **{name: asdict(row[place]) for name, row in rates.items()},
        }
        for place, pair in enumerate(pairs)
    ]
    return json.dumps({"run": preamble, "rates": found}, indent=1) + "\n"


def draw(pairs: list[Pair], rates: Rates, file: Path) -> None:
    """Write the picture, where there is something to draw it with."""
    labels = [
        (f"{pair.contender.title.strip('*')}, {pair.server.name}", pair.contender.name)
        for pair in pairs
    ]
    columns = {each.title: rates[each.name] for each in chosen_scenarios()}
    try:
        plot.draw_rates(labels, columns, file)
    except ImportError:
        say("no picture: matplotlib is not installed")


def say(text: str) -> None:
    """Tell on the terminal what is being done."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Measure and write; the README only after all was measured in full."""
    arguments = parse_arguments()
    if load.version() is None:
        raise SystemExit("wrk is not installed")
    pairs = find_pairs(arguments.contender)
    rates = measure(pairs, rounds=arguments.rounds, seconds=arguments.seconds)
    preamble = describe(pairs, rates, arguments)
    table = to_markdown(pairs, rates, preamble)
    print(table)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "sockets.md").write_text(table, encoding="utf-8")
    figures = to_json(pairs, rates, preamble)
    (arguments.output / "sockets.json").write_text(figures, encoding="utf-8")
    draw(pairs, rates, arguments.output / "sockets.svg")
    if not arguments.contender and arguments.output == HERE / "results":
        report.write_section(HERE / "README.md", "sockets", table)


if __name__ == "__main__":
    main()
