"""The answer key of a lesson: the evidence of the reference and of each misconception."""

import hashlib
import logging
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from autograder import files
from autograder.language import _
from autograder.lesson.cases import Case
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Runner, Runners
from autograder.sandbox.work import Cell, Limits, Plan, ProbeCall, RunnerFault, Work
from transformer_workbook.shared import packing
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.verdicts.diagnosis import Known, Result, assess, known_of
from transformer_workbook.verdicts.judge import Expected
from transformer_workbook.verdicts.sketches import Sketch

from .batches import LIMITS, batches
from .version import surroundings, version_of

LOG = logging.getLogger(__name__)


class AnswerKey:
    """The evidence of one lesson's reference, and of each misconception, computed when needed.

    `runner` runs the reference's cells, and each wrong variant, exactly as it runs a student's
    cells. Where it is a RunnerPool, several threads may use the answer key, but none that holds a
    runner of the pool. `cases` are by component. With `double`, all is computed in float64 and
    rounded to float32 afterwards: evidence that is the same on every machine. The evidence of a
    case in float64 is rounded too, and keeps its dtype.
    """

    def __init__(
        self,
        lesson: Lesson,
        cases: dict[str, list[Case]],
        runner: Runners | None,
        double: bool = False,
    ):
        self.lesson, self.cases, self._runner, self._double = lesson, cases, runner, double
        self._known: dict[str, list[Known]] = {}
        self._locks = {component: threading.Lock() for component in cases}
        self.limits = Limits(seconds=lesson.limit)  # of one answer
        self.is_written = False  # whether all that it holds now has been read or written

    @property
    def _own_runner(self) -> Runners:
        assert self._runner  # without one, the key has to be complete
        return self._runner

    def work(self, answers: list[Cell], components: list[str] | None = None) -> Work:
        """The work that runs `answers` and probes the components, all of them by default."""
        lesson = self.lesson
        return Work(
            lesson=lesson.id,
            cells=[Cell("setup", "setup", lesson.setup), *answers],
            plans=[
                Plan(
                    name,
                    lesson.components[name].defines,
                    [
                        ProbeCall(call_id(name, case.name), case.probe, self._inputs(case))
                        for case in self.cases[name]
                    ],
                    lesson.components[name].forbidden,
                    lesson.stand_ins_for(name),
                )
                for name in components or lesson.components
            ],
            stand_ins=lesson.stand_ins,
            double=self._double,
        )

    def _inputs(self, case: Case) -> dict[str, Any]:
        return each_tensor(case.inputs, torch.Tensor.double) if self._double else case.inputs

    def run(
        self, work: Work, runner: Runner | None = None, limits: Limits | None = None
    ) -> dict[str, Evidence]:
        """The evidence of trusted code, rounded to float32 if it was computed in float64.

        After a RunnerFault it is tried once more. Raises RunnerFault.
        """
        runs = runner or self._own_runner
        try:
            evidence = runs.run(work, limits).evidence
        except RunnerFault:
            evidence = runs.run(work, limits).evidence
        if not self._double:
            return evidence
        # Where several answers are tried at once, the names of calls begin with that of the answer.
        in_float64 = tuple(
            f"/{call_id(name, case.name)}"
            for name, cases in self.cases.items()
            for case in cases
            if case.is_in_float64
        )

        def cast(call: str) -> Callable[[torch.Tensor], torch.Tensor]:
            return _rounded if f"/{call}".endswith(in_float64) else _portable

        return {
            call: Evidence(
                each_tensor(of_call.tensors, cast(call)),
                {name: _portable_value(value) for name, value in of_call.values.items()},
                of_call.failure,
            )
            for call, of_call in evidence.items()
        }

    def answers(self) -> list[Cell]:
        """The reference's answer cells."""
        own = self.lesson.components.items()
        return [Cell(name, "answer", component.source) for name, component in own]

    @cached_property
    def reference(self) -> dict[str, Evidence]:
        """The reference's evidence, by call. Raises RunnerFault where it failed."""
        evidence = self.run(self.work(self.answers()))
        for call, of_call in evidence.items():
            if failure := of_call.failure:
                reason = ": ".join(part for part in (failure.type, failure.message) if part)
                where = (
                    _(" (in the line `{line}`)").format(line=failure.line) if failure.line else ""
                )
                message = _("the reference failed {call}: {reason}{where}")
                reason = reason or failure.kind
                raise RunnerFault(message.format(call=call, reason=reason, where=where))
        return evidence

    def of(self, component: str) -> dict[str, Expected]:
        """What is expected of one component's cases, by call."""
        return {
            call_id(component, case.name): Expected(
                self.reference[call_id(component, case.name)], case.rules, case.masks
            )
            for case in self.cases[component]
        }

    def known(self, component: str) -> list[Known]:
        """The component's misconceptions with their evidence, computed by whoever asks first.

        Raises RunnerFault.
        """
        with self._locks[component]:
            if component not in self._known:
                wrong = self.lesson.components[component].wrong
                evidence = self.evidence_of_many(component, [variant.source for variant in wrong])
                names = [variant.name for variant in wrong]
                self.learn(component, list(zip(names, evidence, strict=True)))
            return self._known[component]

    def complete(self) -> None:
        """Compute all that is not known yet. Raises RunnerFault."""
        for component in self.lesson.components:
            self.known(component)

    def learn(self, component: str, wrong: list[tuple[str, dict[str, Evidence]]]) -> None:
        """Set the evidence of the component's misconceptions, each with its name."""
        expected = self.of(component)
        self._known[component] = [known_of(expected, name, evidence) for name, evidence in wrong]
        self.is_written = False

    def evidence_of_many(
        self,
        component: str,
        sources: Sequence[str],
        runner: Runner | None = None,
        cells: list[Cell] | None = None,
        wanted: Sequence[Collection[str]] | None = None,
        limits: Limits | None = None,
    ) -> list[dict[str, Evidence]]:
        """The evidence of each source in the place of the component, by the ids of its calls.

        `cells` are the answer cells of the whole lesson, by default the reference's; `wanted` the
        calls of each source, all of them by default. Without `limits`, each source has as long as
        if it ran alone. Raises RunnerFault.
        """
        if limits is None:
            limits = replace(LIMITS, step=self.limits.share(self.limits.seconds))
        work = self.work(self.answers() if cells is None else cells, [component])
        size = (runner or self._own_runner).size
        of_sources = list(batches(work, sources, wanted, size))
        with ThreadPoolExecutor(size) as pool:
            found = pool.map(lambda batch: self.run(batch.work, runner, limits), of_sources)
            return [
                evidence
                for batch, its_evidence in zip(of_sources, found, strict=True)
                for evidence in batch.sorted_out(its_evidence)
            ]

    def assess(self, component: str, evidence: dict[str, Evidence]) -> dict[str, Result]:
        """The result of each of the component's cases, by call.

        Misconceptions are compared with only if a case has findings; where the comparison raises
        an exception, it is logged, and the findings stay.
        """
        expected = self.of(component)
        results = assess(expected, [], evidence)
        if all(not result.findings for result in results.values()):
            return results
        known = self.known(component)
        try:
            return assess(expected, known, evidence)
        except Exception:
            LOG.exception("no misconception was looked for in %s", component)
            return results

    def to_bytes(self) -> bytes:
        """The evidence so far, with a checksum; the same bytes in whatever order it was found."""
        known = {
            component: {
                known.name: {call: e and e.to_tree() for call, e in known.evidence.items()}
                for known in self._known[component]
            }
            for component in self.lesson.components
            if component in self._known
        }
        reference = {call: evidence.to_tree() for call, evidence in self.reference.items()}
        body = packing.pack({"reference": reference, "known": known})
        return hashlib.sha256(body).digest() + body

    def take(self, content: bytes) -> None:
        """Take the evidence that `to_bytes` returned. Raises BadData if it has changed."""
        if not _is_whole(content):
            raise packing.BadData(_("the evidence has changed since it was written"))
        tree = packing.unpack(content[32:])
        self.reference = {call: Evidence.from_tree(e) for call, e in tree["reference"].items()}
        self._known = {
            component: [
                Known(name, {call: e and Sketch.from_tree(e) for call, e in evidence.items()})
                for name, evidence in known.items()
            ]
            for component, known in tree["known"].items()
        }
        self.is_written = True

    def keep(self, cache: Path, secret: str) -> None:
        """Write what has been found, for `read_kept`; nothing if that is written. Raises OSError.

        It is kept for this version of the lesson, these libraries and this secret.
        """
        if self.is_written:
            return
        self.is_written = True  # before it is written: what is learnt meanwhile is not
        try:
            keep(cache, self.lesson, secret, self.to_bytes())
        except OSError:
            self.is_written = False
            raise


def read_kept(cache: Path, lesson: Lesson, secret: str) -> bytes | None:
    """The answer key that `keep` wrote; None where there is none, or a damaged one.

    It may lack misconceptions of components that nobody has failed yet.
    """
    try:
        content = _path(cache, lesson, secret).read_bytes()
    except OSError:
        return None
    return content if _is_whole(content) else None


def is_complete(content: bytes, lesson: Lesson) -> bool:
    """Whether an answer key holds the misconceptions of all components of its lesson."""
    known: dict[str, Any] = packing.unpack(content[32:])["known"]
    return known.keys() == lesson.components.keys()


def keep(cache: Path, lesson: Lesson, secret: str, content: bytes) -> None:
    """Keep an answer key. Raises OSError."""
    files.replace(_path(cache, lesson, secret), content)


def _path(cache: Path, lesson: Lesson, secret: str) -> Path:
    key = hashlib.sha256(f"{version_of(lesson)}|{secret}|{surroundings()}".encode()).hexdigest()
    return cache / f"{lesson.id}-{key[:24]}.answer_key"


def _is_whole(content: bytes) -> bool:
    return hashlib.sha256(content[32:]).digest() == content[:32]


NOISE = 1e-12  # the rounding error of a sum of float64 numbers of size 1 is about 1e-16 a term


def _portable(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor in float32 with 0 for rounding noise, which differs between processors.

    A finite number stays finite: float64's lowest number becomes float32's.
    """
    largest = torch.finfo(torch.float32).max
    tensor = torch.where(tensor.isfinite(), tensor.clamp(-largest, largest), tensor)
    return tensor.masked_fill(tensor.abs() < NOISE, 0.0).float()


def _rounded(tensor: torch.Tensor) -> torch.Tensor:
    return _portable(tensor).to(tensor.dtype)


def _portable_value(value: Any) -> Any:
    return float(f"{value:.7g}") if isinstance(value, float) else value


def each_tensor(
    tree: dict[str, Any], cast: Callable[[torch.Tensor], torch.Tensor]
) -> dict[str, Any]:
    """The dict with `cast` applied to its floating-point tensors."""
    return {
        name: cast(value)
        if isinstance(value, torch.Tensor) and value.is_floating_point()
        else value
        for name, value in tree.items()
    }


def call_id(component: str, case: str) -> str:
    """The name of a case among all cases of a lesson."""
    return f"{component}/{case}"
