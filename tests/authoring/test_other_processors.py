"""What is derived means the same on every processor, and so does what is judged by it."""

import gzip
import subprocess
import sys

import pytest
import torch
from other_processors import OTHER_PROCESSORS, as_on

from autograder.authoring.record_lesson import says_the_same
from autograder.sandbox.job import Cell, Job
from autograder.sandbox.runner import Runner
from transformer_workbook.diagnosis.compare import Rule
from transformer_workbook.diagnosis.evidence_sketches import Sketch
from transformer_workbook.shared import packing
from transformer_workbook.shared.evidence import Evidence


def run(*command: str, processor: str, threads: int = 1) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *command],
        env=as_on(processor, threads), capture_output=True, text=True, timeout=3600,
    )  # fmt: skip


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("processor", OTHER_PROCESSORS)
def test_nothing_derived_differs_on_another_processor(processor, threads):
    done = run("-m", "autograder", "build", "--check", processor=processor, threads=threads)
    assert done.returncode == 0, done.stdout


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("processor", OTHER_PROCESSORS)
def test_all_proofs_hold_on_another_processor(processor):
    done = run("-m", "autograder", "prove", processor=processor)
    assert done.returncode == 0, done.stdout


def test_students_cells_run_with_the_instructions_that_are_allowed(monkeypatch):
    for name, value in OTHER_PROCESSORS["no-vectors"].items():
        monkeypatch.setenv(name, value)
    source = "import torch\nprint(torch.backends.cpu.get_cpu_capability())"
    with Runner() as runner:
        outcome = runner.run(Job("01-attention", [Cell("own", "added", source)], [], {}))
    assert outcome.output.strip() == "DEFAULT"


# What counts as the same.


def file_with(tensors=None, values=None, inputs=None, rules=None) -> bytes:
    evidence = Evidence({"y": torch.ones(3)} | (tensors or {}), {"loss": 2.0} | (values or {}))
    case = {
        "probe": "call",
        "inputs": {"x": torch.ones(2)} | (inputs or {}),
        "masks": {},
        "rules": {name: rule.to_tree() for name, rule in (rules or {}).items()},
        "reference": evidence.to_tree(),
        "known": {
            "wrong": Sketch.from_evidence(evidence, rules or {}).to_tree(),
            "right-here": None,
        },
    }
    return gzip.compress(packing.pack({"f": {"plain": case}}))


def test_the_last_digits_of_evidence_do_not_count():
    moved = file_with({"y": torch.ones(3) * (1 + 1e-6)}, {"loss": 2.000001})
    assert says_the_same(file_with(), moved)


@pytest.mark.parametrize(
    "other",
    [
        {"tensors": {"y": torch.ones(3) * (1 + 1e-4)}},
        {"tensors": {"y": torch.ones(4)}},
        {"tensors": {"y": torch.ones(3).double()}},
        {"tensors": {"z": torch.ones(1)}},
        {"values": {"loss": 2.001}},
        {"values": {"loss": 2}},
        {"inputs": {"x": torch.ones(2) * (1 + 1e-6)}},
        {"rules": {"y": Rule(atol=1e-3)}},
    ],
    ids=str,
)
def test_everything_else_counts(other):
    assert not says_the_same(file_with(), file_with(**other))


def test_evidence_is_held_to_a_tenth_of_its_own_rule():
    rules = {"y": Rule(atol=1e-8, rtol=0.0)}
    moved = file_with({"y": torch.ones(3) * (1 + 1e-6)}, rules=rules)
    assert not says_the_same(file_with(rules=rules), moved)


def test_a_damaged_file_says_nothing():
    assert not says_the_same(file_with()[:-1], file_with())
