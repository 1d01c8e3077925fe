"""What is wrong is said in words: no lesson leaves a learner with the bare name of its evidence."""

import os
import re

import pytest
import torch

from autograder.lesson.course import read_course
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.explain import explain
from transformer_workbook.shared.lesson_index import recorded
from transformer_workbook.shared.obligations import OBLIGATIONS
from transformer_workbook.shared.verdicts import DEFAULT, Rule, judge
from transformer_workbook.shared.words import phrase

COURSE = read_course()


def evidence_of(lesson):
    """The probe of each visible case, and what its evidence is judged by."""
    for component in lesson.components:
        known = recorded(lesson.id, component)
        for case, expected in known.expected.items():
            yield known.probes[case], expected


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_each_piece_of_evidence_has_a_phrase(lesson):
    probes, without = set(), set()
    for probe, expected in evidence_of(lesson):
        probes.add(probe)
        words = lesson.words(probe)
        found = {**expected.reference.tensors, **expected.reference.values}
        for name, value in found.items():
            if name in OBLIGATIONS:
                continue
            said = phrase(name, words)
            rule = expected.rules.get(name, DEFAULT)
            states = rule.kind in ("same", "differs") or isinstance(value, bool)
            states |= type(value) is int and value == 0
            if not (said.wrong or said.when if states else said.noun or said.wrong):
                without.add(f"{probe}: {name}")
            if not states and isinstance(value, torch.Tensor) and not said.noun:
                without.add(f"{probe}: {name} (noun)")
    assert not without, "name these with @says in probes.py: " + ", ".join(sorted(without))
    hidden = {
        case.probe
        for tests in lesson.hidden("words").values()
        for test in tests
        for case in test.cases
    }
    assert hidden <= probes, "visible cases show the words of all probes"


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_whatever_is_wrong_is_said_in_a_whole_sentence(lesson):
    said = set()
    for probe, expected in evidence_of(lesson):
        for name in expected.reference.tensors.keys() | expected.reference.values.keys():
            if name in OBLIGATIONS:
                continue
            for wrong in changed(expected.reference, name, expected.rules.get(name, DEFAULT)):
                for finding in judge(wrong, expected.reference, expected.rules, expected.masks):
                    words = lesson.words(probe)
                    said.add((finding.text, name, explain(finding, "it", words=words)))
    if os.environ.get("SHOW"):
        print("=====", lesson.id, *sorted(said), sep="\n")
    for text, name, sentence in said:
        assert re.fullmatch(r"[A-Z0-9].*[.?]", sentence, re.DOTALL), (text, sentence)
        assert "{" not in sentence and sentence[0] != name[0], (text, sentence)


def changed(evidence: Evidence, name: str, rule: Rule):
    """The evidence with one piece of it missing, of another type, shape or value."""
    if name in evidence.tensors:
        tensor = evidence.tensors[name]
        others = [None, 1.5, tensor.unsqueeze(0), ~tensor if tensor.dtype == torch.bool else 0]
        if tensor.is_floating_point():
            others += [tensor + 1, tensor * float("nan"), torch.zeros_like(tensor)]
        if rule.other:
            others.append(evidence.tensors[rule.other].clone())
    else:
        value = evidence.values[name]
        others = [not value] if isinstance(value, bool) else [None]
        others += ["<tuple>", torch.tensor(1.0)] if type(value) in (int, float) else []
        others += [value + 1, value + 12345, 0] if type(value) in (int, float) else []
        others += [value + "x", "none"] if isinstance(value, str) else []
        others += [[*value, "x"], []] if isinstance(value, list) else []
    tensors, values = (
        {key: one for key, one in part.items() if key != name}
        for part in (evidence.tensors, evidence.values)
    )
    if not isinstance(evidence.values.get(name), bool):
        yield Evidence(tensors, values)
    for other in others:
        if isinstance(other, torch.Tensor):
            yield Evidence({**tensors, name: other}, values)
        else:
            yield Evidence(tensors, {**values, name: other})
