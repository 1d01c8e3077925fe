"""Explains wrong results by what the student's code does when it is watched, or changed.

Both run in a child process, for both may crash: where that ends without an answer, or there can be
none, nothing is explained.
"""

import contextlib
import time
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ..repair.bench import Workbench
from ..repair.choice import Repair
from ..repair.found import read_divergence, read_repair
from ..repair.search import search
from ..traces.divergence import FirstDivergence, ReferenceTraces
from .child import Child, Tell, child

FOR_VALUES = 6.0  # seconds of the traces on a busy machine; ordinary ones take a tenth
MORE = 2.0  # seconds that a search may take beyond its own, on a busy machine


class Explanation:
    """What is known about the failing cases of a component: `wrong`, and soon a place."""

    def __init__(self, wrong: FirstDivergence | None = None):
        self.wrong = wrong

    def place(self) -> Repair | None:
        """The change that mends the failing cases; None where none is found.

        Waits for the search.
        """
        return None


class _Told(Explanation):
    """What a child has told, and goes on telling."""

    def __init__(
        self,
        of: Child,
        ways: Mapping[str, ReferenceTraces],
        source: str,
        failing: list[str],
        seconds: float,
    ):
        found = of.hear(time.monotonic() + FOR_VALUES)
        super().__init__(read_divergence(_mapping(found), ways, source))
        self._is_alive = found is not None
        self._child, self._source, self._failing = of, source, failing
        self._until = time.monotonic() + seconds + MORE

    def place(self) -> Repair | None:
        repair = None
        while self._is_alive:
            found = self._child.hear(self._until)
            self._is_alive = found is not None
            # What is told last is the best: the child may have crashed after it.
            repair = read_repair(_mapping(found), self._source, self._failing) or repair
        return repair


def _mapping(found: Any) -> Mapping[str, Any]:
    return found if isinstance(found, dict) else {}


@contextlib.contextmanager
def explained(
    bench: Workbench,
    source: str,
    failing: list[str],
    passing: list[str],
    *,
    watched: bool,
    first: Collection[str] = (),
    seconds: float,
) -> Iterator[Explanation]:
    """What the cases of a source are wrong by, while its child is there.

    The first wrong value is told where the source is `watched`. The search for a place takes up to
    `seconds`; 0 leaves it out. It changes the lines in `first` before others.
    """

    def look(tell: Tell) -> None:
        wrong = None
        if watched:
            with bench.entered():
                wrong = bench.first_divergence(source, failing, passing)
        tell({"first_divergence": wrong.to_tree()} if wrong else {})
        if seconds:
            search(
                bench, source, failing, passing, first, seconds, lambda best: tell(best.to_tree())
            )

    with child(look, FOR_VALUES + seconds + MORE) as made:
        if made is None:
            yield Explanation()
        else:
            yield _Told(made, bench.ways, source, failing, seconds)
