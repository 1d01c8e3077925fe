"""What the students' package has of a lesson: texts, and evidence recorded on public inputs.

The evidence has the outputs of the reference and of each misconception, and none of their code.
"""

import dataclasses
import gzip
import json
import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from autograder.judging.answer_key import AnswerKey
from autograder.judging.case_runner import CaseRunner
from autograder.lesson.cases import Case
from autograder.lesson.components import Component, KnownAnswer
from autograder.lesson.course import Course
from autograder.lesson.guesses import guesses_of
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import ANSWER_HERE
from autograder.lesson.translation import ENGLISH, code, of_line, prose, texts
from autograder.sandbox.runner import Runner
from transformer_workbook.checks.model_answers import veiled
from transformer_workbook.diagnosis.case_results import BOTH, RecordedMisconception, behave_alike
from transformer_workbook.diagnosis.compare import Expected, Rule, compare
from transformer_workbook.diagnosis.evidence_sketches import Sketch, is_like
from transformer_workbook.diagnosis.misconception_text import pieces, stands_in
from transformer_workbook.diagnosis.statement_hashes import hashes_in
from transformer_workbook.shared import packing
from transformer_workbook.shared.evidence import Evidence

from .misconceptions import recorded_misconceptions
from .right_answers import changed_blanks, right_hashes, right_statements

UNREADABLE = (EOFError, OSError, packing.BadData, zlib.error)
# What of the texts is translated.
TEXTS = ("title", "hints", "says", "behaves", "cases")
SHARE = 0.1  # of a tolerance, by which evidence may differ between processors


def catalogue(lesson: Lesson, model_answers: bool = True, say: Callable[[str], str] = str) -> bytes:
    """The lesson's texts for check, hint, answer and reveal, as JSON; `say` translates them."""
    visible = lesson.visible()
    tree = {
        "lesson": lesson.id,
        "title": lesson.title,
        "components": {
            name: _component_texts(component, visible[name], say)
            for name, component in lesson.components.items()
        },
        "questions": {
            question.name: {
                "rubric": veiled(prose(question.rubric, say)),
                "model": veiled(prose(question.model, say)),
            }
            for question in (lesson.questions if model_answers else ())
        },
        "guesses": {
            variable: veiled(json.dumps(texts(table, say, TEXTS)))
            for variable, table in guesses_of(lesson).items()
        },
    }
    if lesson.hand_in:
        tree["hand_in"] = lesson.hand_in.component
    return (json.dumps(texts(tree, say, TEXTS), ensure_ascii=False, indent=1) + "\n").encode()


def _component_texts(
    component: Component, visible: Sequence[Case], say: Callable[[str], str]
) -> dict[str, Any]:
    right = right_hashes(component)
    return {
        "defines": component.defines,
        "forbidden": component.forbidden,
        "arguments": component.arguments,
        "blanks": {
            blank.name: {
                "line": of_line(component.released_lines[blank.name], say),
                "hints": blank.hints,
                "right": " ".join(right[blank.name]),
            }
            for blank in component.blanks
        },
        "hints": component.hints,
        "released": code(component.released, say),
        "cases": {case.name: case.says or case.name for case in visible},
        "misconceptions": {
            answer.name: {"says": answer.says, "blank": answer.blank}
            | ({} if answer.blank else {"blanks": changed_blanks(component, answer.name)})
            | ({"behaves": answer.behaves} if answer.behaves else {})
            | ({"code": quoted} if answer.behaves and (quoted := _code_quoted(answer)) else {})
            | ({"released": left} if (left := _left_of(component, answer)) else {})
            for answer in component.wrong
        },
        "right_statements": " ".join(right_statements(component)),
    }


def _code_quoted(answer: KnownAnswer) -> list[str]:
    """What a misconception's text quotes of its own code, beside plain names."""
    more_than_names = (piece for piece in pieces(answer.says) if not re.fullmatch(r"[\w.]+", piece))
    return [piece for piece in more_than_names if stands_in(piece, answer.source)]


def _left_of(component: Component, answer: KnownAnswer) -> list[str]:
    """The hashes of the statements that are a bug as a bug hunt comes; none for other mistakes."""
    wrong = hashes_in(answer.source) - hashes_in(component.source)
    return sorted(wrong) if wrong <= hashes_in(component.released) else []


def record(lesson: Lesson, runner: Runner) -> bytes:
    """The evidence of the reference and of each misconception on the visible cases, with gzip."""
    visible, tree = lesson.visible(), _cases(lesson)
    case_runner = CaseRunner(lesson, visible, runner, double=True)
    answer_key = AnswerKey(case_runner)
    for component, cases in visible.items():
        of = answer_key.of(component)
        known = _by_key(recorded_misconceptions(lesson.components[component], of, case_runner))
        for case, (call, expected) in zip(cases, of.items(), strict=True):
            tree[component][case.name] |= {
                "reference": _without_code(expected.reference),
                "known": {
                    key: sketch and sketch.to_tree()
                    for key, misconception in known.items()
                    for sketch in [misconception.evidence[call]]
                },
            }
    return gzip.compress(packing.pack(tree), mtime=0)


def _cases(lesson: Lesson) -> dict[str, dict[str, dict[str, Any]]]:
    """The visible cases by component and name, without evidence."""
    return {
        component: {
            case.name: {
                "probe": case.probe,
                "inputs": case.inputs,
                "watched": case.watched,
                "masks": case.masks,
                "rules": {name: rule.to_tree() for name, rule in case.rules.items()},
            }
            for case in cases
        }
        for component, cases in lesson.visible().items()
    }


def is_of(content: bytes, lesson: Lesson) -> bool:
    """Whether `record` wrote a file for the lesson's cases and misconceptions as they are now.

    What the evidence says is for `prove` to judge. False if the file is not readable.
    """
    try:
        tree = packing.unpack(gzip.decompress(content))
    except UNREADABLE:
        return False
    return _equal(_without_evidence(tree), _cases(lesson)) and all(
        {key.partition(" ")[0] for key in entry["known"] if BOTH not in key}
        == {answer.name for answer in lesson.components[component].wrong}
        for component, entries in tree.items()
        for entry in entries.values()
    )


def _by_key(known: list[RecordedMisconception]) -> dict[str, RecordedMisconception]:
    """Misconceptions by name; of several fillings, those that behave in another way have a number.

    A check reads the name up to the first space.
    """
    found: dict[str, RecordedMisconception] = {}
    for misconception in known:
        alike = [one for key, one in found.items() if key.partition(" ")[0] == misconception.name]
        if not any(behave_alike(one, misconception) for one in alike):
            number = f" {len(alike) + 1}" if alike else ""
            found[misconception.name + number] = misconception
    return found


def says_the_same(one: bytes, other: bytes) -> bool:
    """Whether two files that `record` wrote judge alike.

    Evidence may differ by a tenth of the tolerance that it is judged with, since the last digits
    of a sum depend on the processor; the rest has to be equal. False if either is not readable.
    """
    try:
        ours, theirs = (packing.unpack(gzip.decompress(each)) for each in (one, other))
    except UNREADABLE:
        return False
    return _equal(_without_evidence(ours), _without_evidence(theirs)) and all(
        _judge_alike(entry, theirs[component][case])
        and _are_close(entry["known"], theirs[component][case]["known"])
        for component, cases in ours.items()
        for case, entry in cases.items()
    )


def _judge_alike(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether each of two references passes by the other, within a share of the tolerances."""
    reference, twin = (Evidence.from_tree(entry["reference"]) for entry in (ours, theirs))
    rules = {name: Rule() for name in (*reference.tensors, *reference.values)}
    rules |= {name: Rule(**rule) for name, rule in ours["rules"].items()}
    held = {
        name: dataclasses.replace(rule, atol=SHARE * rule.atol, rtol=SHARE * rule.rtol)
        for name, rule in rules.items()
    }
    pairs = ((reference, twin), (twin, reference))
    return not any(compare(first, Expected(then, held, ours["masks"])) for first, then in pairs)


def _are_close(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    return ours.keys() == theirs.keys() and all(
        is_like(Sketch.from_tree(tree), Sketch.from_tree(theirs[name]), SHARE)
        if tree and theirs[name]
        else tree == theirs[name]
        for name, tree in ours.items()
    )


def _without_evidence(tree: dict[str, Any]) -> dict[str, Any]:
    return {
        component: {
            case: {key: value for key, value in entry.items() if key not in ("reference", "known")}
            for case, entry in cases.items()
        }
        for component, cases in tree.items()
    }


def _equal(one: object, other: object) -> bool:
    return packing.pack(one) == packing.pack(other)


def _without_code(evidence: Evidence) -> dict[str, Any]:
    """The evidence without the line that a failure quotes: it may hold a blank's solution."""
    if evidence.failure:
        failure = dataclasses.replace(evidence.failure, line="", suggestion="", names="")
        evidence = Evidence(failure=failure)
    return evidence.to_tree()


def index(course: Course, language: str = ENGLISH) -> bytes:
    """The lessons and their components, in order, as JSON."""
    tree = {
        "title": course.title,
        "repository": course.repository,
        "tag": course.tag,
        # The text of a question's cell before it is answered.
        "answer_here": course.lessons[0].catalogue(language).fixed(ANSWER_HERE),
        "lessons": {
            lesson.id: {
                "title": lesson.catalogue(language).say(lesson.title),
                "beyond": lesson.beyond,
                "components": [
                    name
                    for name, component in lesson.components.items()
                    if not component.is_bug_hunt
                ],
                "bug_hunts": [
                    name for name, component in lesson.components.items() if component.is_bug_hunt
                ],
            }
            for lesson in course.lessons
        },
    }
    return (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode()
