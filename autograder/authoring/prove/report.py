"""What the proofs found, and how it is printed."""

from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from .survival import Tally

PROOFS = {
    1: "as released: 0 points; each blank left empty is named",
    2: "the reference earns every point, on the students' cells",
    3: "every misconception loses points and is named as itself",
    4: "every other right answer earns every point",
    5: "blanks filled one at a time earn exactly their points",
    6: "every control fails the case that it controls",
    7: "hidden cases are others than visible ones; nothing of them, and no solution, is in course/",
    8: "a green check means full marks, and no mutant earns them: what is wrong is red and loses",
}


@dataclass
class Report:
    """What one lesson's proofs found: the faults by proof, and how much was tried."""

    lesson: str
    faults: dict[int, list[str]] = field(default_factory=lambda: {n: [] for n in PROOFS})
    tried: dict[int, int] = field(default_factory=lambda: dict.fromkeys(PROOFS, 0))
    mutants: Tally = field(default_factory=Tally)

    @property
    def holds(self) -> bool:
        return not any(self.faults.values())


def print_reports(reports: list[Report], console: Console, is_all: bool) -> None:
    """Print the tables, of all proofs or of mutants alone, and each fault on a line of its own."""
    if is_all:
        _print_proofs(reports, console)
    _print_mutants(reports, console)
    for report in reports:
        for number, faults in report.faults.items():
            for fault in faults:
                console.print(f"{report.lesson}, proof {number}: {fault}", markup=False,
                              highlight=False, soft_wrap=True)  # fmt: skip


def _print_proofs(reports: list[Report], console: Console) -> None:
    table = Table(title="Proofs (number of things tried; ✗ number of faults)")
    table.add_column("lesson", no_wrap=True)
    for number in PROOFS:
        table.add_column(str(number), justify="right")
    for report in reports:
        table.add_row(
            report.lesson,
            *(
                f"✗ {len(report.faults[n])}" if report.faults[n] else f"✓ {report.tried[n]}"
                for n in PROOFS
            ),
        )
    console.print(table)
    for number, text in PROOFS.items():
        console.print(f"{number}  {text}", highlight=False)


def _print_mutants(reports: list[Report], console: Console) -> None:
    table = Table(title="Mutants: right answers with one change made by rule")
    table.add_column("lesson", no_wrap=True)
    for column in ("made", "tried", "lose points", "red check", "alike", "survive", "green, lose"):
        table.add_column(column, justify="right")
    rows = [
        (of.made, of.tried, of.lose, of.red, of.equivalent, len(of.survivors), len(of.green))
        for of in (report.mutants for report in reports)
    ]
    for report, row in zip(reports, rows, strict=True):
        table.add_row(report.lesson, *map(str, row))
    if len(rows) > 1:
        table.add_row("all", *(str(sum(column)) for column in zip(*rows, strict=True)))
    console.print(table)
