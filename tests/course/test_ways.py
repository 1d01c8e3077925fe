"""Right answers in ways of their own, written blind to every component, are right for the cases.

CI tries those of some components, always the same; `make soak` tries all of them.
"""

import zlib
from pathlib import Path

import pytest

from autograder.authoring.prove.proofs import Proof, Scope
from autograder.sandbox.runner import Runner
from benchmarks.feedback import answers, component_of

FOLDER = Path(__file__).parents[1] / "corpus" / "ways"
PART = 6  # CI takes a sixth of the components
FILES = [
    pytest.param(
        path,
        id=path.stem,
        marks=[] if zlib.crc32(path.stem.encode()) % PART == 0 else pytest.mark.soak,
    )
    for path in sorted(FOLDER.glob("*.py"))
]


@pytest.mark.parametrize("path", FILES)
def test_each_passes_its_check_and_has_full_marks(path):
    lesson, component = component_of(path.stem)
    chosen = answers(path)
    with Runner(sandbox="none") as runner:
        proof = Proof(lesson, runner, scope=Scope(seed="ways"))
        trials = proof.trials(proof.judge, [lesson.components[component]])
        fates = trials.fates(component, [answer.source for answer in chosen], runner)
    assert chosen
    assert [
        answer.name for answer, fate in zip(chosen, fates, strict=True) if fate.loses or fate.is_red
    ] == []
