"""The answer key of a lesson: the evidence of the reference."""

import hashlib
from functools import cached_property
from pathlib import Path

from autograder import files
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.sandbox.job import RunnerFault
from transformer_workbook.diagnosis.case_results import CaseResult, assess
from transformer_workbook.diagnosis.compare import Expected
from transformer_workbook.shared import packing
from transformer_workbook.shared.evidence import Evidence

from .case_runner import CaseRunner, call_id
from .version import surroundings, version_of

CHECKSUM = hashlib.sha256().digest_size  # bytes, before the packed evidence


class AnswerKey:
    """The evidence of a lesson's reference, computed when it is first needed.

    The cells of the reference run exactly as a student's do. If `case_runner` has a RunnerPool, a
    thread that holds a runner of the pool must not use the answer key.
    """

    def __init__(self, case_runner: CaseRunner):
        self._case_runner = case_runner

    @cached_property
    def reference(self) -> dict[str, Evidence]:
        """The reference's evidence, by call. Raises RunnerFault where it failed."""
        runner = self._case_runner
        evidence = runner.run(runner.job(runner.reference_cells()))
        for call, its_evidence in evidence.items():
            if failure := its_evidence.failure:
                reason = ": ".join(part for part in (failure.type, failure.message) if part)
                where = (
                    _(" (in the line `{line}`)").format(line=failure.line) if failure.line else ""
                )
                message = _("the reference failed {call}: {reason}{where}")
                reason = reason or failure.kind
                raise RunnerFault(message.format(call=call, reason=reason, where=where))
        return evidence

    def of(self, component: str) -> dict[str, Expected]:
        """The expected evidence of one component's cases, by call."""
        return {
            call_id(component, case.name): Expected(
                self.reference[call_id(component, case.name)], case.rules, case.masks
            )
            for case in self._case_runner.cases[component]
        }

    def results_of(self, component: str, evidence: dict[str, Evidence]) -> dict[str, CaseResult]:
        """The result of each of the component's cases, by call; without a diagnosis."""
        return assess(self.of(component), [], evidence)

    def to_bytes(self) -> bytes:
        """The evidence, with a checksum. Raises RunnerFault as `reference` does."""
        body = packing.pack({call: evidence.to_tree() for call, evidence in self.reference.items()})
        return hashlib.sha256(body).digest() + body

    def load(self, content: bytes) -> None:
        """Load the evidence that `to_bytes` returned. Raises BadData if it has changed."""
        if not _is_intact(content):
            raise packing.BadData(_("the evidence has changed since it was written"))
        tree = packing.unpack(content[CHECKSUM:])
        self.reference = {call: Evidence.from_tree(e) for call, e in tree.items()}


def read_answer_key(cache: Path, lesson: Lesson, secret: str) -> bytes | None:
    """The bytes that `save_answer_key` wrote; None if there is none, or a damaged one."""
    try:
        content = _path(cache, lesson, secret).read_bytes()
    except OSError:
        return None
    return content if _is_intact(content) else None


def save_answer_key(cache: Path, lesson: Lesson, secret: str, content: bytes) -> None:
    """Save an answer key for this version of the lesson, these libraries and this secret.

    Raises OSError.
    """
    files.replace(_path(cache, lesson, secret), content)


def _path(cache: Path, lesson: Lesson, secret: str) -> Path:
    key = hashlib.sha256(f"{version_of(lesson)}|{secret}|{surroundings()}".encode()).hexdigest()
    return cache / f"{lesson.id}-{key[:24]}.answer_key"


def _is_intact(content: bytes) -> bool:
    return hashlib.sha256(content[CHECKSUM:]).digest() == content[:CHECKSUM]
