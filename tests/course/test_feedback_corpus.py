"""Wrong answers that were written without sight of the lists are told a cause, or none.

`docs/feedback.md` says how the corpus came about, and how often the true cause is told.
"""

import sys
from collections import Counter

import pytest
import torch
from signature_oracle import is_so
from signature_oracle import known as known_signatures

from autograder.judging.judge import Judge
from autograder.lesson.course import read_course
from autograder.sandbox.runner import Runner
from benchmarks.feedback import (
    CORPUS,
    Answer,
    Told,
    answers,
    causes,
    component_of,
    evidences,
    told_of,
)
from transformer_workbook.checks.cause import MECHANISMS
from transformer_workbook.diagnosis.compare import Expected
from transformer_workbook.diagnosis.lesson_index import recorded
from transformer_workbook.diagnosis.match import assess, most_telling
from transformer_workbook.diagnosis.meaning import names_in, quoted
from transformer_workbook.diagnosis.signatures import SENTENCES, may_be_anything, signature
from transformer_workbook.shared.evidence import Evidence

from .known_names import known_names, unknown

CORPORA = sorted(CORPUS.iterdir())
FILES = sorted(CORPUS.rglob("*.py"))
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="changes are tried on Linux alone")
MOST_LINES = 15  # of a report as text
ONE_OF_EACH_KIND = ("LayerNorm", "causal_mask", "shift_right", "03_bug_hunt_1")


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda corpus: corpus.name)
def test_there_are_answers_to_every_component_of_a_lesson(corpus):
    """A corpus has the lessons that were there when it was written, at least 00 to 12."""
    present = {path.stem for path in corpus.iterdir()}
    of_lessons = [
        {
            f"{lesson.id[:2]}_{name}" if component.is_bug_hunt else name
            for name, component in lesson.components.items()
        }
        for lesson in read_course().lessons
    ]
    written = [names for names in of_lessons if names & present]
    assert present == set().union(*written) and len(written) >= 13


def test_each_has_a_cause_and_a_name_of_its_own():
    count = 0
    for path in FILES:
        found = answers(path)
        assert len({answer.name for answer in found}) == len(found)
        assert all(answer.kind == "wrong" and answer.cause for answer in found), path
        count += len(found)
    assert count >= 600


def shares(monkeypatch, folder) -> Counter:
    monkeypatch.setenv("CORPUS", str(folder))
    table = causes(lambda now: None)
    (total,) = (row for row in table.rows if row[0] == "all")
    of = int(total[1])
    counts = zip(table.columns[2:], total[2:], strict=True)
    return Counter({name: int(count) / of for name, count in counts})


@on_linux
def test_some_of_them_are_told_a_cause(monkeypatch, tmp_path):
    for name in ONE_OF_EACH_KIND:
        (tmp_path / f"{name}.py").write_bytes((CORPUS / "first" / f"{name}.py").read_bytes())
    share = shares(monkeypatch, tmp_path)
    assert share["misconception"] >= 0.4
    assert sum(share[mechanism] for mechanism in MECHANISMS) >= 0.7
    assert share["passed"] <= 0.05


@on_linux
@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_most_of_them_are_told_a_cause(monkeypatch):
    share = shares(monkeypatch, CORPUS)
    assert share["misconception"] >= 0.4
    assert sum(share[mechanism] for mechanism in MECHANISMS) >= 0.65
    assert share["passed"] <= 0.06


def wrong_answers(path) -> list[tuple[Answer, dict[str, Evidence]]]:
    """The wrong answers of a file with their evidence in the cases of the check."""
    lesson, component = component_of(path.stem)
    chosen = [answer for answer in answers(path) if answer.kind == "wrong"]
    return list(zip(chosen, evidences(lesson, component, chosen), strict=True))


def untrue_signatures(path, evidence: dict[str, Evidence]) -> list[str]:
    """The sentences on what a result has to do with the right one that are not so.

    They are told of the most telling case, and of all that fail in the same way.
    """
    lesson, component = component_of(path.stem)
    known = recorded(lesson.id, component)
    results = assess(known.expected, [], evidence)
    sentence = signature(results, known.inputs)
    first = results[most_telling(results)].findings
    alike = {
        case: result.findings[0]
        for case, result in results.items()
        if result.findings and (result.findings[0].name, result.findings[0].text)
        == (first[0].name, first[0].text) and not may_be_anything(result.findings[0].pair)
    }  # fmt: skip
    untrue = [
        case for case in alike if sentence and not is_so(sentence, alike[case], known.inputs[case])
    ]
    return [f"{sentence} ({case})" for case in untrue]


def unknown_names(path, answer: Answer, told: Told) -> set[str]:
    """The names of code that a cause quotes, and that the student cannot know."""
    lesson, component = component_of(path.stem)
    known = names_in(answer.source) | known_names(lesson, component)
    return unknown(quoted(told.cause.says), known)


def fails_hidden_cases(path, told: Told) -> bool:
    """Whether an answer with the change that it is told fails hidden cases, under two secrets."""
    lesson, component = component_of(path.stem)
    repair = told.repair
    changed = (repair.also or repair.edit).source
    with Runner(sandbox="none") as runner:
        for secret in ("one secret", "another secret"):
            judge = Judge(lesson, secret, runner)
            (evidence,) = judge.answer_key.evidence_of_many(component, [changed])
            results = assess(judge.answer_key.of(component), [], evidence)
            if any(result.findings for result in results.values()):
                return True
    return False


SAMPLE = [CORPUS / "ninth" / f"{name}.py" for name in (*ONE_OF_EACH_KIND, "evaluate")]
ALL = [
    pytest.param(path, marks=[] if path in SAMPLE else pytest.mark.soak,
                 id=f"{path.parent.name} {path.stem}")
    for path in FILES
]  # fmt: skip


@on_linux
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("path", ALL)
def test_what_is_told_is_so_as_far_as_a_program_can_say(path):
    """Names that the student knows, signatures that hold, changes that mend hidden cases too."""
    lesson, component = component_of(path.stem)
    for answer, evidence in wrong_answers(path):
        assert not untrue_signatures(path, evidence), answer.name
        one = told_of(lesson, component, answer.source, evidence)
        assert not unknown_names(path, answer, one), (answer.name, one.cause.says)
        assert len(repr(one.report).splitlines()) <= MOST_LINES, answer.name
        if one.cause.mechanism == "repair":
            assert not fails_hidden_cases(path, one), (answer.name, one.cause.says)


def finding_of(actual, expected):
    results = assess({"case": Expected(Evidence({"y": expected}, {}))}, [],
                     {"case": Evidence({"y": actual}, {})})  # fmt: skip
    return results["case"].findings[0]


def test_the_oracle_knows_every_signature_and_what_is_not_so():
    assert known_signatures() == {*SENTENCES}
    square = torch.arange(1.0, 17).view(4, 4)
    finding = finding_of(2 * square, square)
    assert is_so("Every number is 2 times what is expected.", finding, {})
    for untrue in (
        "Every number is 3 times what is expected.",
        "The result is 0 everywhere.",
        "The numbers are right, but axes 0 and 1 are swapped.",
        "Only the last entry along axis 1 is wrong; all others are right.",
        "The rows do not sum to 1; those that are expected do.",
    ):
        assert not is_so(untrue, finding, {})
    with pytest.raises(ValueError, match="no signature says"):
        is_so("The numbers are unlucky.", finding, {})
