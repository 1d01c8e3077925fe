"""No size takes one value in all cases of a component, nor equals another one in all: what is
written with the one in place of the other, or as a number, would pass."""

import itertools
from collections.abc import Iterator

import pytest
import torch

from autograder.lesson.course import read_course

# A scripted model is a stack of tables of one form: that is the story's, and no size of a model's.
SCRIPTS = ["script[-1] is 7", "script[-2] is 7", "script[-3] is 9", "script[-4] is 4"]
ARGUED = {"greedy_decode": SCRIPTS, "beam_search": SCRIPTS}
COMPONENTS = [(lesson, name) for lesson in read_course().lessons for name in lesson.components]


def sizes(name: str, value: object) -> Iterator[tuple[str, float]]:
    if isinstance(value, torch.Tensor):
        for axis, length in enumerate(value.shape):
            if length == 1 and "mask" in name:  # for all heads, all queries
                continue
            yield f"{name}[{axis - value.dim()}]", length
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, value


@pytest.mark.parametrize(("lesson", "name"), COMPONENTS, ids=[name for _, name in COMPONENTS])
def test_sizes_vary(lesson, name):
    cases = [*lesson.visible()[name]]
    cases += [case for test in lesson.hidden("any")[name] for case in test.cases]
    rows = [dict(itertools.chain(*itertools.starmap(sizes, case.inputs.items()))) for case in cases]
    alike = []
    for size in sorted({size for row in rows for size in row}):
        values = [row[size] for row in rows if size in row]
        by_default = "[" not in size and len(values) < len(rows)
        if len(values) > 2 and len(set(values)) == 1 and not by_default:
            alike.append(f"{size} is {values[0]}")
    scalars = sorted({size for row in rows for size in row if "[" not in size})
    for first, second in itertools.combinations(scalars, 2):
        pairs = [(row[first], row[second]) for row in rows if {first, second} <= row.keys()]
        if len(pairs) > 2 and all(one == other for one, other in pairs):
            alike.append(f"{first} is {second}")
    assert sorted(alike) == ARGUED.get(name, [])
