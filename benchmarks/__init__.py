"""The benchmarks. Each is one function, whose docstring begins with its title.

To add one, write a function `(say) -> Measured` in a module of its own and name it in BENCHMARKS.
`say` shows the progress.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module

from rich.console import Console
from rich.table import Table

from autograder.errors import WrongUsage

BENCHMARKS = ("feedback:causes", "grading:class_of_a_lesson", "language:of_the_lessons")

Say = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """A table, and a message for each target that was missed."""

    columns: list[str]
    rows: list[list[str]]
    missed: list[str] = field(default_factory=list)


def run(console: Console, part: str = "") -> int:
    """Run the benchmarks with `part` in their names, print their tables; 1 if a target is missed.

    Raises WrongUsage where there is none.
    """
    names = [name for name in BENCHMARKS if part in name]
    if not names:
        raise WrongUsage(f"there is no benchmark {part!r}; there are {', '.join(BENCHMARKS)}")
    missed = []
    for name in names:
        module, _, function = name.partition(":")
        benchmark = getattr(import_module(f"{__name__}.{module}"), function)
        title = benchmark.__doc__.strip().splitlines()[0].rstrip(".")
        with console.status(title) as status:
            outcome = benchmark(lambda now, title=title, on=status: on.update(f"{title}: {now}"))
        table = Table(title=title, title_justify="left", title_style="bold")
        for place, column in enumerate(outcome.columns):
            table.add_column(column, justify="left" if place == 0 else "right")
        for row in outcome.rows:
            table.add_row(*row)
        console.print(table)
        for message in outcome.missed:
            console.print(f"missed: {message}", style="red")
        console.print()
        missed += outcome.missed
    return 1 if missed else 0
