"""Runs the cases of a lesson on answers: the reference's, a student's, or many of one component."""

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import torch

from autograder.lesson.cases import Case
from autograder.lesson.lesson import Lesson
from autograder.sandbox.job import Cell, Job, Plan, ProbeCall, RunnerFault
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner, Runners
from transformer_workbook.diagnosis.evidence_sketches import rounded
from transformer_workbook.shared.evidence import Evidence

from .batches import LIMITS, OF_AUTHORS, batches

VISIBLE = "visible: "  # before the name of a visible case, where it stands beside hidden ones


class CaseRunner:
    """Calls cases of one lesson's components with a runner.

    `cases` are by component. With `double`, everything is computed in float64 and then rounded to
    float32, so that the evidence is the same on every machine. The evidence of a case in float64 is
    rounded too, and keeps its dtype. Without a runner, it makes jobs only.
    """

    def __init__(
        self,
        lesson: Lesson,
        cases: Mapping[str, list[Case]],
        runner: Runners | None = None,
        double: bool = False,
    ):
        self.lesson, self.cases, self._runner, self._double = lesson, cases, runner, double

    @property
    def _own_runner(self) -> Runners:
        assert self._runner
        return self._runner

    def job(self, answers: list[Cell], components: list[str] | None = None) -> Job:
        """The job that runs `answers` and probes the components, all of them by default."""
        lesson = self.lesson
        return Job(
            lesson=lesson.id,
            cells=[Cell("setup", "setup", lesson.setup), *answers],
            plans=[
                Plan(
                    name,
                    lesson.components[name].defines,
                    [
                        ProbeCall(
                            call_id(name, case.name), case.probe, self._inputs(case), case.watched
                        )
                        for case in self.cases[name]
                    ],
                    lesson.components[name].forbidden,
                    lesson.stand_ins_for(name),
                )
                for name in (lesson.components if components is None else components)
            ],
            stand_ins=lesson.stand_ins,
            double=self._double,
            probes=lesson.probes_module,
        )

    def _inputs(self, case: Case) -> dict[str, Any]:
        return each_tensor(case.inputs, torch.Tensor.double) if self._double else case.inputs

    def run(
        self, job: Job, runner: Runner | None = None, limits: Limits = OF_AUTHORS
    ) -> dict[str, Evidence]:
        """The evidence of trusted code, rounded to float32 if it was computed in float64.

        After a RunnerFault, the job is run once more. Raises RunnerFault.
        """
        runs = runner or self._own_runner
        try:
            evidence = runs.run(job, limits).evidence
        except RunnerFault:
            evidence = runs.run(job, limits).evidence
        if not self._double:
            return evidence
        # In a batch, the id of a call begins with the name of its answer.
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
                each_tensor(computed.tensors, cast(call)),
                {name: rounded(value) for name, value in computed.values.items()},
                computed.failure,
            )
            for call, computed in evidence.items()
        }

    def reference_cells(self) -> list[Cell]:
        """The reference's answer cells."""
        components = self.lesson.components.items()
        return [Cell(name, "answer", component.source) for name, component in components]

    def evidence_of_many(
        self,
        component: str,
        sources: Sequence[str],
        runner: Runner | None = None,
        cells: list[Cell] | None = None,
        wanted: Sequence[Collection[str]] | None = None,
        limits: Limits | None = None,
    ) -> list[dict[str, Evidence]]:
        """The evidence of each source in place of the component, by the ids of its calls.

        `cells` are the answer cells of the whole lesson, by default the reference's; `wanted` has
        the ids of the calls of each source, by default all of them. Without `limits`, each source
        has as much time as if it ran alone. Raises RunnerFault.
        """
        if limits is None:
            alone = Limits(seconds=self.lesson.limit)
            limits = replace(LIMITS, step=alone.share(alone.seconds))
        job = self.job(self.reference_cells() if cells is None else cells, [component])
        size = (runner or self._own_runner).size
        runs = list(batches(job, sources, wanted, size))
        with ThreadPoolExecutor(size) as pool:
            evidence_of_runs = pool.map(lambda batch: self.run(batch.job, runner, limits), runs)
            return [
                evidence
                for batch, its_evidence in zip(runs, evidence_of_runs, strict=True)
                for evidence in batch.by_answer(its_evidence)
            ]


def visible_cases(lesson: Lesson) -> dict[str, list[Case]]:
    """The cases of the checks, by component, with names that no hidden case has."""
    return {
        component: [replace(case, name=f"{VISIBLE}{case.name}") for case in cases]
        for component, cases in lesson.visible().items()
    }


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
