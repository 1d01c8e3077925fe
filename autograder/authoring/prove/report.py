"""What the proofs found, and how it is printed."""

from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from autograder.language import _

from .survival import Tally

PROOFS = {
    1: _("as released: 0 points; each blank left empty is named"),
    2: _("the reference earns every point, on the students' cells"),
    3: _("every misconception loses points, fails the check and is named by it as itself"),
    4: _("every other right answer earns every point"),
    5: _("blanks filled one at a time earn exactly their points"),
    6: _("every control fails the case that it controls"),
    7: _(
        "hidden cases are others than visible ones; nothing of them, and no solution, is in course/"
    ),
    8: _(
        "a green check means full marks, and no mutant earns them: what is wrong is red and loses"
    ),
    9: _("the notebook runs, as released and filled in; filled in, all its checks are green"),
    10: _("ruff and the repository's tests of each lesson pass: words, width, phrases, pictures"),
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
                line = _("{lesson}, proof {number}: {fault}").format(
                    lesson=report.lesson, number=number, fault=fault
                )
                console.print(line, markup=False, highlight=False, soft_wrap=True)


def _print_proofs(reports: list[Report], console: Console) -> None:
    table = Table(title=_("Proofs (number of things tried; ✗ number of faults)"))
    table.add_column(_("lesson"), no_wrap=True)
    for number in PROOFS:
        table.add_column(str(number), justify="right")
    for report in reports:
        table.add_row(
            report.lesson,
            *(
                f"✗ {len(report.faults[n])}"
                if report.faults[n]
                else f"✓ {report.tried[n]}"
                if report.tried[n]
                else "–"
                for n in PROOFS
            ),
        )
    console.print(table)
    for number, text in PROOFS.items():
        console.print(f"{number}  {text}", highlight=False)


def _print_mutants(reports: list[Report], console: Console) -> None:
    table = Table(title=_("Mutants: right answers with one change made by rule"))
    table.add_column(_("lesson"), no_wrap=True)
    columns = (
        _("made"), _("tried"), _("lose points"), _("red check"), _("alike"), _("survive"),
        _("green, lose"),
    )  # fmt: skip
    for column in columns:
        table.add_column(column, justify="right")
    rows = [
        (of.made, of.tried, of.lose, of.red, of.equivalent, len(of.survivors), len(of.green))
        for of in (report.mutants for report in reports)
    ]
    for report, row in zip(reports, rows, strict=True):
        table.add_row(report.lesson, *map(str, row))
    if len(rows) > 1:
        table.add_row(_("all"), *(str(sum(column)) for column in zip(*rows, strict=True)))
    console.print(table)
