"""The trusted side: verdicts on evidence. No student code runs here."""

import dataclasses
import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch

from autograder.authoring.cases import Case, Test
from autograder.authoring.lesson import Lesson, Variant
from transformer_workbook import data
from transformer_workbook.evidence import Evidence
from transformer_workbook.explain import explain, texts
from transformer_workbook.verdicts import Known, Result, Standard, assess, known_of

from .run import Cell, Outcome, Plan, ProbeCall, Runner, RunnerFault, Work

STATUS_OF_FAILURE = {
    "exception": "error",
    "died": "error",
    "blank": "missing",
    "missing": "missing",
    "forbidden": "blocked",
    "timeout": "timeout",
    "out_of_memory": "out_of_memory",
}


@dataclass(frozen=True)
class Verdict:
    """The outcome of one test: points, status, and what the student is told."""

    component: str
    test: str
    score: float
    max_score: float
    status: str
    misconception: str
    message: str


class Standards:
    """What one lesson's evidence is judged by: the reference's, and that of each misconception.

    Both are found by running the reference's cells, and each wrong variant, exactly as a
    student's cells are run. `cases` are by component. With `double`, all is computed in float64
    and rounded to float32 afterwards: evidence that is the same on every machine.
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
                )
                for name in components or lesson.components
            ],
            forbidden=lesson.forbidden,
            stand_ins=lesson.stand_ins,
            double=self._double,
        )

    def _inputs(self, case: Case) -> dict:
        return each_tensor(case.inputs, torch.Tensor.double) if self._double else case.inputs

    def run(self, work: Work) -> dict[str, Evidence]:
        """Run trusted code; the evidence, rounded to float32 if it was computed in float64."""
        evidence = self._runner.run(work).evidence
        if not self._double:
            return evidence
        return {
            call: Evidence(each_tensor(e.tensors, torch.Tensor.float), e.values, e.failure)
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
            if evidence.failure:
                raise RunnerFault(
                    f"{self.lesson.id}: the reference failed {call}: {evidence.failure}"
                )
        return found

    def of(self, component: str) -> dict[str, Standard]:
        """The standards of one component's cases, by call."""
        return {
            call_id(component, case.name): Standard(
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

    def learn(self, component: str, found: list[tuple[str, dict[str, Evidence]]]) -> None:
        """Take the evidence of the component's misconceptions from who has found it already."""
        standards = self.of(component)
        self._known[component] = [known_of(standards, name, of) for name, of in found]

    def evidence_of(self, variant: Variant) -> dict[str, Evidence]:
        """The evidence of the reference with one component written as in `variant`."""
        return self.run(self.work(self.answers(variant), [variant.component]))

    def assess(self, component: str, evidence: dict[str, Evidence]) -> dict[str, Result]:
        """Judge one component's evidence, case by case.

        The misconceptions are only looked at when something is wrong.
        """
        standards = self.of(component)
        results = assess(standards, [], evidence)
        if all(not result.findings for result in results.values()):
            return results
        return assess(standards, self.known(component), evidence)


class Judge:
    """Judges submissions of one lesson with the hidden tests that a secret gives."""

    def __init__(self, lesson: Lesson, secret: str, runner: Runner, cache: Path | None = None):
        self.lesson, self.tests = lesson, lesson.hidden(secret)
        cases = {
            component: [_within(test, case) for test in tests for case in test.cases]
            for component, tests in self.tests.items()
        }
        self.standards = Standards(lesson, cases, runner)
        if cache:
            key = hashlib.sha256(f"{lesson.version}|{secret}".encode()).hexdigest()[:24]
            self._remember(cache / f"{lesson.id}-{key}.standards")

    def work(self, answers: list[Cell]) -> Work:
        """The work of grading a student's cells (kinds "answer" and "added")."""
        return self.standards.work(answers)

    def verdicts(self, outcome: Outcome) -> list[Verdict]:
        """A verdict for each test, in the order of the notebook."""
        return [
            verdict
            for component in self.lesson.components
            for verdict in self._of_component(component, outcome)
        ]

    def _of_component(self, component: str, outcome: Outcome) -> list[Verdict]:
        results = self.standards.assess(component, outcome.evidence)
        of = self.lesson.components[component]
        says = {variant.name: variant.says for variant in of.wrong}
        verdicts = []
        for test in self.tests[component]:
            judged = [
                (case, results[call_id(component, _within(test, case).name)]) for case in test.cases
            ]
            wrong = [(case, result) for case, result in judged if result.findings]
            if not wrong:
                verdicts.append(
                    Verdict(component, test.name, test.points, test.points, "passed", "", "")
                )
                continue
            misconception = next((r.misconception for _, r in wrong if r.misconception), "")
            finding = wrong[0][1].findings[0]
            group, _, kind = finding.text.rpartition(".")
            status = STATUS_OF_FAILURE[kind] if group == "failure" else "failed"
            message = texts()["check"]["test_failed"].format(
                says=test.says or test.name,
                finding=explain(finding, of.defines, of.released_lines, advise=not misconception),
                misconception=says.get(misconception, ""),
            )
            verdicts.append(
                Verdict(
                    component, test.name, 0.0, test.points, status, misconception, message.strip()
                )
            )
        return verdicts

    def _remember(self, path: Path) -> None:
        """Take the standards' evidence from `path`, or compute it and keep it there."""
        standards = self.standards
        try:
            tree = data.unpack(path.read_bytes())
            reference = {call: Evidence.from_tree(t) for call, t in tree["reference"].items()}
            known = {
                component: [
                    Known(name, {c: t and Evidence.from_tree(t) for c, t in evidence.items()})
                    for name, evidence in of.items()
                ]
                for component, of in tree["known"].items()
            }
            standards.reference, standards._known = reference, known
        except (OSError, data.BadData, KeyError, AttributeError):
            tree = {
                "reference": {c: e.to_tree() for c, e in standards.reference.items()},
                "known": {
                    component: {
                        known.name: {c: e and e.to_tree() for c, e in known.evidence.items()}
                        for known in standards.known(component)
                    }
                    for component in self.lesson.components
                },
            }
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            part.write_bytes(data.pack(tree))
            part.replace(path)


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


def _within(test: Test, case: Case) -> Case:
    """The case under a name that is its own among all tests of the component."""
    return dataclasses.replace(case, name=f"{test.name}/{case.name}")
