"""Whatever a student writes, or sends, what explains it comes to an end, and says a text."""

import contextlib
import time

import pytest
from hostile.evidence import TENSORS as ANY_TENSORS
from hostile.evidence import evidence_with
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from the_course import COURSE

from autograder.grading import bypasses
from autograder.judging import causes
from autograder.submissions import rebuild
from transformer_workbook.diagnosis.recorded_lessons import recorded, written_right
from transformer_workbook.diagnosis.statement_hashes import hashes_in
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.packing import BadData, pack, unpack

LESSON, NAME = "03-add-and-norm", "LayerNorm"
COMPONENT = COURSE.lesson(LESSON).components[NAME]
SOURCES = [COMPONENT.source, COMPONENT.released, *(v.source for v in COMPONENT.wrong)]
SECONDS = 5.0  # of the processor for one example; what is run under a budget has as many
SETTINGS = {"deadline": None, "suppress_health_check": list(HealthCheck)}
FEW, MANY = settings(max_examples=150, **SETTINGS), settings(max_examples=60_000, **SETTINGS)


# What a student may write.

PIECES = st.sampled_from(
    ["(", ")", "[", "]", "\n", "    ", "\t", "x", " = ", "+1", "lambda: ", "-", "not ", ".y", "()",
     "if x:\n", "for i in x:\n ", "def f(x):\n ", "class A:\n ", "____", "%time ", "!ls\n", '"""',
     "f'{x}'", "# ", ";", "\\\n", "\0", "\ud800", "\x0c", "é", "ﬁ", "async ", "await ",
     "match x:\n", "global x\n", "nonlocal x\n", "return x\n", "yield\n", "del x\n",
     "import torch as t\n", "from x import *\n", "with x as y:\n ", "@", "->", "*",
     "**", ":=", "try:\n ", "except:\n "]
)  # fmt: skip
REPEATED = st.builds(lambda piece, count: piece * count, PIECES, st.integers(1, 3000))


@st.composite
def sources(draw):
    """A known answer with pieces put in anywhere, or pieces alone."""
    text = draw(st.sampled_from([*SOURCES, ""]))
    for piece in draw(st.lists(PIECES | REPEATED, max_size=6)):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + piece + text[place:]
    return text[:200_000]


def look_into(source: str) -> None:
    """All that the grader does with a source beyond running it."""
    rebuild.defined_in(source)
    rebuild.new_definitions(source, COMPONENT.released)
    hashes_in(source)
    written_right(LESSON, NAME, source)
    with contextlib.suppress(RecursionError, MemoryError):  # which are a remark of their own
        bypasses.ways_in([("answer", NAME, source)], {NAME: COMPONENT.forbidden})


@FEW
@example("torch." + 300 * "x")  # a name of no file
@given(sources())
def test_any_source_is_looked_into_in_little_time(source):
    start = time.thread_time()
    look_into(source)
    assert time.thread_time() - start < SECONDS


@pytest.mark.soak
@MANY
@given(sources())
def test_any_source_is_looked_into_in_little_time_at_length(source):
    test_any_source_is_looked_into_in_little_time.hypothesis.inner_test(source)


# What may come back from beside a student's code.

KNOWN = recorded(LESSON, NAME)
CASES = list(KNOWN.expected)
TENSORS = [tensor * 2 for e in KNOWN.expected.values() for tensor in e.reference.tensors.values()]
EVIDENCE = evidence_with(
    sorted({name for e in KNOWN.expected.values() for name in e.reference.tensors}),
    ["as_before", "mode_matters", "output"],
    ANY_TENSORS | st.sampled_from(TENSORS),
)


@FEW
@given(st.dictionaries(st.sampled_from(CASES), EVIDENCE, max_size=4), sources())
def test_whatever_evidence_a_check_gets_is_explained_or_refused(trees, source):
    try:
        sent = {case: unpack(pack(tree)) for case, tree in trees.items()}
        for tree in sent.values():
            Evidence.from_tree(tree)
    except (BadData, UnicodeEncodeError):
        return  # it does not get so far
    start = time.thread_time()
    found = causes.cause_of_failures(LESSON, NAME, source, sent, "")
    assert isinstance(found["says"], str)
    assert time.thread_time() - start < SECONDS


@pytest.mark.soak
@MANY
@given(st.dictionaries(st.sampled_from(CASES), EVIDENCE, max_size=4), sources())
def test_whatever_evidence_a_check_gets_is_explained_or_refused_at_length(trees, source):
    test_whatever_evidence_a_check_gets_is_explained_or_refused.hypothesis.inner_test(trees, source)
