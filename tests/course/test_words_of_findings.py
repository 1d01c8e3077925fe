"""What is wrong is said in words: no lesson leaves a learner with the bare name of its evidence."""

import math
import re

import pytest
import torch
from the_course import COURSE
from torch import nn
from torch.nn import functional as F

import transformer
from transformer_workbook.diagnosis.case_results import CaseResult, most_telling
from transformer_workbook.diagnosis.compare import DEFAULT, Rule, compare
from transformer_workbook.diagnosis.finding_sentences import explain
from transformer_workbook.diagnosis.recorded_lessons import recorded
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.obligations import OBLIGATIONS
from transformer_workbook.shared.probing import find_probe, gather
from transformer_workbook.shared.words import phrase


def evidence_of(lesson):
    """The probe of each visible case, and what its evidence is judged by."""
    for component in lesson.components:
        cases = recorded(lesson.id, component)
        for case, expected in cases.expected.items():
            yield cases.probes[case], expected


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
    assert not without, "name these with @wording in the probes: " + ", ".join(sorted(without))
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
                for finding in compare(wrong, expected):
                    words = lesson.words(probe)
                    said.add((finding.kind, name, explain(finding, "it", words=words)))
    for text, name, sentence in said:
        remedy = (
            f"{text}: {sentence!r}: let each @wording of the probes begin with a word, not code"
        )
        assert re.fullmatch(r"[A-Z0-9].*[.?]", sentence, re.DOTALL), remedy
        assert "{" not in sentence and sentence[0] != name[0], (text, sentence)


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_a_sentence_of_a_probe_begins_with_a_word_and_no_name_in_code(lesson):
    """Its first letter is made large, which would make X of an argument `x`."""
    sentences = {
        text
        for probe, _expected in evidence_of(lesson)
        for said in lesson.words(probe).values()
        if not isinstance(said, str)
        for text in (said.wrong, said.missing, *said.when.values())
    }
    assert not [text for text in sentences if text[:1].islower() or text.startswith("`")]


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_no_phrase_gives_a_filling_away(lesson):
    texts = {
        text
        for probe in {case.probe for cases in lesson.visible().values() for case in cases}
        for said in lesson.words(probe).values()
        for text in (
            [said]
            if isinstance(said, str)
            else [said.noun, said.wrong, said.missing, *said.when.values()]
        )
    }
    blanks = [blank for component in lesson.components.values() for blank in component.blanks]
    fillings = {blank.text for blank in blanks if not blank.text.isidentifier()}
    assert not [filling for filling in fillings if any(filling in text for text in texts)]


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


NAMES = {"math": math, "torch": torch, "nn": nn, "F": F, **vars(transformer)}


def first_sentence(lesson: str, component: str, source: str) -> str:
    """What is said first about an answer, in its check."""
    of = COURSE.lesson(lesson)
    cases = recorded(lesson, component)
    namespace = {**NAMES, "__name__": "student"}
    exec(source, namespace)
    results = {}
    for case, expected in cases.expected.items():
        probe = find_probe(lesson, cases.probes[case])
        evidence = gather(probe, namespace, of.components[component].defines, cases.inputs[case])
        findings = compare(evidence, expected)
        results[case] = CaseResult(findings)
    case = most_telling(results)
    return explain(results[case].findings[0], component, words=of.words(cases.probes[case]))


MISTAKES = [
    (
        "01-attention", "scaled_dot_product_attention", "softmax-over-queries",
        "The output at [0, 0, 0] is -0.139788; expected 0.168033 (36 of 36 numbers differ).",
    ),
    (
        "02-multi-head-attention", "MultiHeadAttention", "value-error-missing",
        "When num_heads does not divide d_model, nothing was raised; expected a ValueError.",
    ),
    (
        "03-add-and-norm", "LayerNorm", "gamma-frozen",
        "There is no gamma among the parameters that learn.",
    ),
    (
        "07-encoder-and-decoder", "Encoder", "first-layer-again-and-again",
        "No gradient reaches 263 numbers of the parameters: their part is never used, or its "
        "result is lost along the way.",
    ),
    (
        "09-training", "train_step", "loss-still-a-tensor",
        "The loss of the first step is a tensor; expected a plain float.",
    ),
    (
        "11-translation", "average_weights", "added-in-place",
        "What was passed as states was changed in place. Work on a new tensor instead: the caller "
        "still needs it.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("lesson", "component", "mistake", "says"), MISTAKES, ids=[mistake[2] for mistake in MISTAKES]
)
def test_a_wrong_answer_hears_the_most_telling_thing_first(lesson, component, mistake, says):
    wrong = COURSE.lesson(lesson).components[component].wrong
    source = next(answer.source for answer in wrong if answer.name == mistake)
    assert first_sentence(lesson, component, source) == says


@pytest.mark.parametrize(
    ("lesson", "component", "right", "wrong", "says"),
    [
        (
            "02-multi-head-attention", "MultiHeadAttention", "e, mask, self", "e, None, self",
            "Only keys and values that the mask hides were changed, yet the output changed.",
        ),
        # No `return` is missing where an attribute is None.
        (
            "02-multi-head-attention", "MultiHeadAttention", "self.weights = weights.detach()",
            "pass",
            "What the attribute `weights` holds after the call should be a tensor, but is None.",
        ),
        (
            "06-masks", "padding_mask", "real = ids != pad_id",
            "real = torch.ones(ids.shape, dtype=torch.bool) & (ids != pad_id)",
            "Tensors on two devices were combined. Make what you add on the device of ids.",
        ),
        (
            "09-training", "evaluate", "return mean", "return {'loss': mean}",
            "The loss should be a plain number (float), but is of type dict.",
        ),
    ],
)  # fmt: skip
def test_an_unlisted_mistake_is_put_into_words(lesson, component, right, wrong, says):
    source = COURSE.lesson(lesson).components[component].source
    assert right in source
    assert first_sentence(lesson, component, source.replace(right, wrong)) == says
