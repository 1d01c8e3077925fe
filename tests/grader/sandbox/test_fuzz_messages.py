"""Whatever a student's process sends, the grader ends with evidence and test results."""

import contextlib
import os
import socket
import threading

import pytest
import torch
from hostile.evidence import FAILURES, TENSORS, TREES, evidence_with
from hostile.frames import GARBAGE, packed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from the_course import COURSE

from autograder.judging.case_runner import call_id
from autograder.judging.judge import STATUS_OF_FAILURE, Judge
from autograder.sandbox.job import Cell, Job, Outcome, Plan, ProbeCall
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner
from autograder.sandbox.student_process import StudentProcess
from transformer_workbook.diagnosis.case_results import RecordedMisconception, assess
from transformer_workbook.diagnosis.compare import Expected, Rule
from transformer_workbook.diagnosis.evidence_sketches import Sketch
from transformer_workbook.diagnosis.finding_sentences import explain
from transformer_workbook.shared import packing
from transformer_workbook.shared.evidence import Evidence, Failure

LIMITS = Limits(seconds=20, step=5, evidence=1 << 20)
FUZZ = settings(
    max_examples=150,
    deadline=None,
    # The second for a busy machine.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

# What may be sent.

EVIDENCE = evidence_with(["y", "weights", "z"], ["y", "told", "other"])
CALLS = st.sampled_from(["one", "two", "three"])
EVENTS = (
    st.fixed_dictionaries(
        {
            "event": st.just("cell"),
            "index": st.integers(0, 2) | TREES,
            "failure": st.none() | FAILURES | TREES,
        }
    )
    | st.fixed_dictionaries(
        {"event": st.just("evidence"), "id": CALLS | TREES, "evidence": EVIDENCE | TREES}
    )
    | st.fixed_dictionaries({"event": st.just("plan"), "code": st.integers(0, 255) | TREES})
    | TREES
)


def frame(tree) -> bytes:
    try:
        return packed(tree)
    except packing.BadData:
        return bytes(8)


NOTHING = {"tensors": {"y": torch.ones(3)}, "values": {"inputs_changed": []}, "failure": None}
# What an honest process sends for the job below.
HONEST = b"".join(
    frame(tree)
    for tree in (
        {"event": "cell", "index": 0, "failure": None},
        {"event": "cell", "index": 1, "failure": None},
        {"event": "evidence", "id": "one", "evidence": NOTHING},
        {"event": "evidence", "id": "two", "evidence": NOTHING},
        {"event": "plan", "code": 0},
        {"event": "evidence", "id": "three", "evidence": NOTHING},
        {"event": "plan", "code": 0},
    )
)


@st.composite
def mutated(draw) -> bytes:
    """What an honest process sends, with some bytes changed, lost, repeated or added."""
    sent = bytearray(HONEST)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(sent)))
        length = draw(st.integers(0, 40))
        part = bytes(sent[at : at + length])
        new = draw(st.sampled_from([b"", part * 2, bytes(len(part))]) | st.binary(max_size=20))
        sent[at : at + length] = new
    return bytes(sent)


SENT = (
    st.binary(max_size=300)
    | mutated()
    | st.lists(EVENTS, max_size=8).map(lambda trees: b"".join(map(frame, trees)))
)


class Scripted:
    """In the place of the process that forks: each fork sends the same bytes, and is gone."""

    def __init__(self, sent: bytes):
        self.sent, self.forks = sent, 0

    def wait_until_ready(self, imports=()):
        pass

    def fork(self, limits, folder, group=None) -> StudentProcess:
        self.forks += 1
        ours, theirs = socket.socketpair()
        reading, writing = os.pipe()
        # In a thread: the grader may stop to read what is more than a buffer holds.
        threading.Thread(target=self._send, args=(theirs,), daemon=True).start()
        os.write(writing, self.sent[:1000])
        os.close(writing)
        return StudentProcess(self, os.getpid(), limits, ours, reading, group)

    def _send(self, theirs: socket.socket) -> None:
        with contextlib.suppress(OSError), theirs:
            theirs.sendall(frame({"event": "ready"}) + self.sent)

    def end(self, grace) -> int:
        return 1


@pytest.fixture(scope="module")
def scripted(small_course):
    """Runs a job with a process that sends given bytes."""
    runner = Runner("none", LIMITS, course=small_course.folder)
    runner.fork_server.close()
    calls = [ProbeCall(name, "call", {"x": torch.ones(3)}) for name in ("one", "two", "three")]
    job = Job(
        small_course.lesson,
        [Cell("scale", "answer", ""), Cell("shift", "answer", "")],
        [Plan("scale", "scale", calls[:2]), Plan("shift", "shift", calls[2:])],
        small_course.stand_ins,
    )

    def run(sent: bytes) -> tuple[Outcome, int]:
        runner.fork_server = Scripted(sent)
        return runner.run(job), runner.fork_server.forks

    return run


def test_what_an_honest_process_sends_is_taken(scripted):
    outcome, forks = scripted(HONEST)
    assert forks == 1 and outcome.cells == {}
    assert [evidence.failure for evidence in outcome.evidence.values()] == [None] * 3


@FUZZ
@given(SENT)
def test_any_bytes_end_in_evidence_for_each_call(scripted, sent):
    outcome, forks = scripted(sent)
    assert forks <= 5  # one for each cell and plan that ended its process
    assert outcome.evidence.keys() == {"one", "two", "three"}
    for evidence in outcome.evidence.values():
        assert evidence.failure is None or evidence.failure.kind in STATUS_OF_FAILURE
        packing.pack(evidence.to_tree())  # and so it can be kept
    assert all(failure.kind in STATUS_OF_FAILURE for failure in outcome.cells.values())


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_on_the_channel_fails_its_sender(scripted, name):
    outcome, _forks = scripted(GARBAGE[name])
    assert {evidence.failure.kind for evidence in outcome.evidence.values()} == {"died"}


def test_what_is_printed_without_an_end_is_not_read_to_its_end(monkeypatch):
    """A process that could not be ended may still write to what its output goes to."""
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    child = StudentProcess(Scripted(b""), os.getpid(), LIMITS, ours, reading, None)
    reads = iter(range(1000))
    monkeypatch.setattr(child, "_read_output", lambda: next(reads) is not None)
    assert child.close() == 1
    os.close(writing)
    theirs.close()


# What is judged.

NORMAL = Evidence(
    {"y": torch.ones(2, 3), "weights": torch.zeros(2, 3), "z": torch.tensor([1, 2])},
    {"told": [1.0, [2]], "other": 0.5, "inputs_changed": []},
)
FAILED = Evidence(failure=Failure("exception", "ValueError", "no"))
RULES = [
    {},
    {"y": Rule("zero", where="mask"), "weights": Rule("finite"), "other": Rule("between", high=1)},
    {"y": Rule("same", other="weights"), "weights": Rule("differs", other="z")},
    {"y": Rule("equal"), "weights": Rule("ignored"), "other": Rule("close"), "told": Rule("equal")},
]


@FUZZ
@given(EVIDENCE, st.sampled_from(RULES))
def test_any_evidence_is_judged_and_explained(tree, rules):
    try:
        evidence = Evidence.from_tree(packing.unpack(packing.pack(tree)))
    except packing.BadData:
        return
    expected = Expected(NORMAL, rules, {"mask": torch.ones(1, 3, dtype=torch.bool)})
    known = [
        RecordedMisconception(name, {"one": Sketch.from_evidence(of, {})})
        for name, of in (("wrong", NORMAL), ("broken", FAILED))
    ]
    result = assess({"one": expected}, known, {"one": evidence})["one"]
    assert result.findings
    for finding in result.findings:
        sentence = explain(finding, "scale", {"first": "y = ____ * x", "second": "z = ____(____)"})
        assert sentence.strip()


@pytest.fixture(scope="module")
def judge(unconfined_course):
    return Judge(COURSE.lesson("01-attention"), "the tests' secret", unconfined_course)


@pytest.fixture(scope="module")
def unconfined_course():
    with Runner("none", LIMITS) as runner:
        yield runner


# Few, since each of them is compared with all known mistakes.
@settings(FUZZ, max_examples=15)
@given(st.data())
def test_no_evidence_but_the_right_one_earns_points(judge, fuzz):
    reference = judge.answer_key.reference
    evidence = {}
    for call, right in reference.items():
        tree = fuzz.draw(EVIDENCE)
        tree["tensors"] = {name: fuzz.draw(TENSORS) for name in right.tensors}
        try:
            evidence[call] = Evidence.from_tree(packing.unpack(packing.pack(tree)))
        except packing.BadData:
            evidence[call] = Evidence(failure=Failure("died"))
    test_results = judge.test_results(Outcome(evidence))
    assert sum(test_result.score for test_result in test_results) == 0
    assert all(test_result.message for test_result in test_results)
    evidence = {call_id("bug_hunt_1", "smoothing/x"): Evidence()} | reference
    assert {test_result.status for test_result in judge.test_results(Outcome(evidence))} == {
        "passed"
    }
