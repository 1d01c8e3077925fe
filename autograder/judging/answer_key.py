"""What a lesson's evidence is compared with: the reference's, and that of each misconception."""

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

import torch

from autograder.lesson.cases import Case
from autograder.lesson.components import Variant
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Runner, RunnerPool
from autograder.sandbox.work import Cell, Plan, ProbeCall, RunnerFault, Work
from transformer_workbook.shared import packing as data
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.packing import BadData
from transformer_workbook.shared.verdicts import Expected, Known, Result, assess, known_of

from .version import surroundings, version_of


class AnswerKey:
    """What one lesson's evidence is judged by: the reference's, and that of each misconception.

    Both are found by running the reference's cells, and each wrong variant, exactly as a
    student's cells are run. `cases` are by component. With `double`, all is computed in float64
    and rounded to float32 afterwards: evidence that is the same on every machine. What a case in
    float64 brings back is rounded, too, and keeps its dtype.
    """

    def __init__(
        self, lesson: Lesson, cases: dict[str, list[Case]], runner: Runner, double: bool = False
    ):
        self.lesson, self.cases, self._runner, self._double = lesson, cases, runner, double
        self._known: dict[str, list[Known]] = {}

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
                )
                for name in components or lesson.components
            ],
            stand_ins=lesson.stand_ins,
            double=self._double,
        )

    def _inputs(self, case: Case) -> dict:
        return each_tensor(case.inputs, torch.Tensor.double) if self._double else case.inputs

    def run(self, work: Work, runner: Runner | None = None) -> dict[str, Evidence]:
        """Run trusted code; the evidence, rounded to float32 if it was computed in float64.

        After a fault of the grader it is tried once more. Raises RunnerFault.
        """
        runner = runner or self._runner
        try:
            evidence = runner.run(work).evidence
        except RunnerFault:
            evidence = runner.run(work).evidence
        if not self._double:
            return evidence
        in_float64 = {
            call_id(name, case.name)
            for name, cases in self.cases.items()
            for case in cases
            if case.is_in_float64
        }
        return {
            call: Evidence(
                each_tensor(e.tensors, _rounded if call in in_float64 else _portable),
                {k: _portable_value(v) for k, v in e.values.items()},
                e.failure,
            )
            for call, e in evidence.items()
        }

    def answers(self, replaced: Variant | None = None) -> list[Cell]:
        """The reference's answer cells, one of them replaced by a variant."""
        return [
            Cell(
                name,
                "answer",
                replaced.source if replaced and replaced.component == name else component.source,
            )
            for name, component in self.lesson.components.items()
        ]

    @cached_property
    def reference(self) -> dict[str, Evidence]:
        found = self.run(self.work(self.answers()))
        for call, evidence in found.items():
            if failure := evidence.failure:
                said = ": ".join(part for part in (failure.type, failure.message) if part)
                where = f" (in the line `{failure.line}`)" if failure.line else ""
                raise RunnerFault(f"the reference failed {call}: {said or failure.kind}{where}")
        return found

    def of(self, component: str) -> dict[str, Expected]:
        """What is expected of one component's cases, by call."""
        return {
            call_id(component, case.name): Expected(
                self.reference[call_id(component, case.name)], case.rules, case.masks
            )
            for case in self.cases[component]
        }

    def known(self, component: str) -> list[Known]:
        """The component's misconceptions with their evidence."""
        if component not in self._known:
            wrong = self.lesson.components[component].wrong
            self.learn(component, [(one.name, self.evidence_of(one)) for one in wrong])
        return self._known[component]

    def find_all(self, runners: Sequence[Runner]) -> None:
        """Find all that is not known yet, each runner a part of it at a time."""
        runner_pool = RunnerPool(runners)

        def evidence_of(variant: Variant) -> dict[str, Evidence]:
            with runner_pool.runner() as runner:
                return self.evidence_of(variant, runner)

        components = self.lesson.components
        missing = {name: of.wrong for name, of in components.items() if name not in self._known}
        with ThreadPoolExecutor(len(runners)) as pool:
            found = {name: pool.map(evidence_of, wrong) for name, wrong in missing.items()}
        # Only now, for the reference needs a runner too.
        for name, wrong in missing.items():
            names = [variant.name for variant in wrong]
            self.learn(name, list(zip(names, found[name], strict=True)))

    def learn(self, component: str, found: list[tuple[str, dict[str, Evidence]]]) -> None:
        """Take the evidence of the component's misconceptions from who has found it already."""
        expected = self.of(component)
        self._known[component] = [known_of(expected, name, of) for name, of in found]

    def evidence_of(self, variant: Variant, runner: Runner | None = None) -> dict[str, Evidence]:
        """The evidence of the reference with one component written as in `variant`."""
        return self.run(self.work(self.answers(variant), [variant.component]), runner)

    def assess(self, component: str, evidence: dict[str, Evidence]) -> dict[str, Result]:
        """Judge one component's evidence, case by case.

        The misconceptions are only looked at when something is wrong.
        """
        expected = self.of(component)
        results = assess(expected, [], evidence)
        if all(not result.findings for result in results.values()):
            return results
        return assess(expected, self.known(component), evidence)

    def to_bytes(self) -> bytes:
        """All the evidence, with a checksum; computes what has not been computed yet."""
        known = {
            component: {
                one.name: {call: e and e.to_tree() for call, e in one.evidence.items()}
                for one in self.known(component)
            }
            for component in self.lesson.components
        }
        reference = {call: evidence.to_tree() for call, evidence in self.reference.items()}
        body = data.pack({"reference": reference, "known": known})
        return hashlib.sha256(body).digest() + body

    def take(self, content: bytes) -> None:
        """Take the evidence that `to_bytes` gave. Raises BadData if a bit of it has changed."""
        if not _is_whole(content):
            raise BadData("the evidence has changed since it was written")
        tree = data.unpack(content[32:])
        self.reference = {call: Evidence.from_tree(of) for call, of in tree["reference"].items()}
        self._known = {
            component: [
                Known(name, {call: e and Evidence.from_tree(e) for call, e in evidence.items()})
                for name, evidence in of.items()
            ]
            for component, of in tree["known"].items()
        }


def read_kept(cache: Path, lesson: Lesson, secret: str) -> bytes | None:
    """The evidence that is kept of a lesson; None where there is none, or where it is damaged."""
    try:
        content = _place(cache, lesson, secret).read_bytes()
    except OSError:
        return None
    return content if _is_whole(content) else None


def keep(cache: Path, lesson: Lesson, secret: str, content: bytes) -> None:
    """Keep a lesson's evidence, for this version of it, these libraries, and this secret."""
    path = _place(cache, lesson, secret)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_bytes(content)
    part.replace(path)


def _place(cache: Path, lesson: Lesson, secret: str) -> Path:
    key = hashlib.sha256(f"{version_of(lesson)}|{secret}|{surroundings()}".encode()).hexdigest()
    return cache / f"{lesson.id}-{key[:24]}.answer_key"


def _is_whole(content: bytes) -> bool:
    return hashlib.sha256(content[32:]).digest() == content[:32]


# Sums of float64 numbers of size 1 end in rounding noise, of about 1e-16 a number.
NOISE = 1e-12


def _portable(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor in float32, its rounding noise as 0: the noise differs between processors.

    A finite number stays finite: float64's lowest number becomes float32's.
    """
    largest = torch.finfo(torch.float32).max
    tensor = torch.where(tensor.isfinite(), tensor.clamp(-largest, largest), tensor)
    return tensor.masked_fill(tensor.abs() < NOISE, 0.0).float()


def _rounded(tensor: torch.Tensor) -> torch.Tensor:
    return _portable(tensor).to(tensor.dtype)


def _portable_value(value):
    return float(f"{value:.7g}") if isinstance(value, float) else value


def each_tensor(tree: dict, cast) -> dict:
    """The dict with `cast` applied to its floating-point tensors."""
    return {
        name: cast(value)
        if isinstance(value, torch.Tensor) and value.is_floating_point()
        else value
        for name, value in tree.items()
    }


def call_id(component: str, case: str) -> str:
    """The name of a case among all of a lesson's."""
    return f"{component}/{case}"
