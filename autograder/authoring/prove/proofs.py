"""Proves, lesson by lesson, that right answers earn their points and wrong ones are named.

The proofs run the cells that students receive, as submissions are run and judged.
"""

import contextlib
import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from rich.console import Console

from autograder.authoring.mutants.edit import Edit
from autograder.authoring.mutants.mutants import mutants
from autograder.judging.batches import MOST_IN_A_RUN, OF_AUTHORS
from autograder.judging.case_runner import VISIBLE, call_id
from autograder.judging.judge import Judge
from autograder.language import _
from autograder.lesson.components import Blank, Component, KnownAnswer
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import ROOT, Lesson
from autograder.sandbox.job import Outcome
from autograder.sandbox.runner import Runner, RunnerPool
from transformer_workbook.diagnosis.compare import Expected, Finding, compare
from transformer_workbook.diagnosis.finding_sentences import explain, open_blanks
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.obligations import SECOND_SEED
from transformer_workbook.shared.probing import fill_parameters

from .answers import Answers
from .equivalents import read_equivalents
from .leaks import given_away
from .notebooks import faults_of
from .report import Report, print_reports
from .repository import faults_of_tests
from .survival import survival
from .trials import TrialResult, Trials, middle, run_in_rounds, spread

SECRET = "prove"
BUDGET = 60  # mutants of a lesson, where not all are asked for
ANOTHER_SEED = SECOND_SEED + 1


@dataclass(frozen=True)
class Scope:
    """How much is proven.

    Of each lesson, so many `mutants` are tried, all if it is None, under so many `secrets`, of
    which `secret` is the first. With `only_mutants`, only proof 8 is made; 9 and 10 are made with
    `notebooks`. Of the components, `only` these are proven, all if there are none.
    """

    mutants: int | None = BUDGET
    secrets: int = 1
    secret: str = SECRET
    only_mutants: bool = False
    notebooks: bool = False
    only: frozenset[str] = frozenset()

    @property
    def all_secrets(self) -> list[str]:
        return [self.secret, *(f"{self.secret} {n}" for n in range(2, self.secrets + 1))]


class Proof:
    """The proofs of one lesson. `root` is the repository that holds course/.

    Mutants are tried by the runner and by `more` of them. With a `course`, its other lessons'
    solutions are looked for in this lesson's texts, and its notebooks can be run.
    """

    def __init__(
        self,
        lesson: Lesson,
        runner: Runner,
        root: Path = ROOT,
        scope: Scope | None = None,
        more: Sequence[Runner] = (),
        course: Course | None = None,
    ):
        self.lesson, self.root, self.course = lesson, root, course
        self.scope, self._runners = scope or Scope(), [runner, *more]
        self.report = Report(lesson.id)
        self.judge = Judge(lesson, self.scope.secret, runner)
        self.answers = Answers(lesson, self.judge, runner, root)
        self._wrong: dict[str, list[dict[str, Evidence]]] = {}
        # The blanks that each test needs, by component and test: found by proof 1, used by 5.
        self._needs: dict[tuple[str, str], set[str]] = {}
        self._chosen = [
            component
            for name, component in lesson.components.items()
            if name in self.scope.only or not self.scope.only
        ]

    def run(self) -> Report:
        """Make the proofs in scope, and return the report."""
        if self.scope.only_mutants:
            self._green_means_full_marks()
            return self.report
        self._released_earns_nothing()
        self._reference_earns_everything()
        self._misconceptions_are_named()
        self._other_right_answers_earn_everything()
        self._blanks_earn_their_points()
        self._controls_fail()
        self._nothing_is_given_away()
        self._green_means_full_marks()
        if self.scope.notebooks and self.course:
            self._count(9)
            self.report.faults[9] += faults_of(self.course, self.lesson, self.root)
            self._count(10)
            self.report.faults[10] += faults_of_tests(self.lesson, self.root)
        return self.report

    def _fault(self, proof: int, message: str, /, **details: object) -> None:
        self.report.faults[proof].append(message.format(**details))

    def _count(self, proof: int) -> None:
        self.report.tried[proof] += 1

    def _released_earns_nothing(self) -> None:
        self._count(1)
        if set(self.answers.released) != set(self.lesson.components):
            self._fault(
                1,
                _("the notebook's answer cells are {names}"),
                names=sorted(self.answers.released),
            )
            return
        scores = self.answers.scored(self.answers.cells(self.answers.released))
        for (component, test), passed in scores.items():
            if passed:
                self._fault(
                    1, _("{component}, test {test!r}: passes as released"),
                    component=component, test=test,
                )  # fmt: skip
        self._needs = {key: set() for key in scores}
        for with_blanks in self._chosen:
            sources = [
                self.answers.filled(with_blanks, but=frozenset([blank.name]))
                for blank in with_blanks.blanks
            ]
            pairs = zip(with_blanks.blanks, self._evidence_of(with_blanks, sources), strict=True)
            for blank, evidence in pairs:
                self._left_empty(with_blanks, blank, evidence)

    def _evidence_of(
        self,
        component: Component,
        sources: Sequence[str],
        wanted: Sequence[Collection[str]] | None = None,
    ) -> list[dict[str, Evidence]]:
        """The evidence of each source in the component's place, hidden and visible.

        `wanted` has the ids of the calls of each source, by default all of them.
        """
        return self.answers.all_cases.evidence_of_many(
            component.name, sources, self._runners[0], self.answers.cells({}), wanted, OF_AUTHORS
        )

    def _left_empty(
        self, component: Component, blank: Blank, evidence: dict[str, Evidence]
    ) -> None:
        self._count(1)
        failures = [of_call.failure for of_call in evidence.values() if of_call.failure]
        named = [
            failure
            for failure in failures
            if failure.kind == "blank"
            and open_blanks(failure.line, component.released_lines) == [blank.name]
        ]
        if not named:
            messages = {f"{failure.type}: {failure.message}" for failure in failures}
            self._fault(
                1, _("{component}: the empty blank {blank!r} gives {messages}"),
                component=component.name, blank=blank.name, messages=messages or _("nothing"),
            )  # fmt: skip
        lost = [test for test, passed in self._own_scores(component.name, evidence) if not passed]
        for test in lost:
            self._needs[component.name, test].add(blank.name)
        if not lost:
            self._fault(
                1, _("{component}: leaving {blank!r} empty loses no points"),
                component=component.name, blank=blank.name,
            )  # fmt: skip

    def _own_scores(
        self, component: str, evidence: dict[str, Evidence]
    ) -> Iterable[tuple[str, bool]]:
        """The component's tests, and whether they pass."""
        scores = self.answers.scores(evidence).items()
        return [(test, passed) for (name, test), passed in scores if name == component]

    def _reference_earns_everything(self) -> None:
        self._count(2)
        outcome = self.answers.run(self.answers.cells({}))
        for name, failure in outcome.cells.items():
            self._fault(2, _("the cell {name!r} failed: {failure}"), name=name, failure=failure)
        for (component, test), passed in self.answers.scores(outcome.evidence).items():
            if not passed:
                self._fault(
                    2, _("{component}, test {test!r}: the reference fails it"),
                    component=component, test=test,
                )  # fmt: skip
        self._is_the_same_again(outcome)
        for component in self.lesson.components:
            for case, result in self.answers.check(component, outcome.evidence).items():
                if result.findings:
                    self._fault(
                        2, _("{component}: the check's case {case!r} fails the reference: "
                             "{finding}"),
                        component=component, case=case,
                        finding=self._in_words(component, case, result.findings[0]),
                    )  # fmt: skip

    def _is_the_same_again(self, outcome: Outcome) -> None:
        """Whether the reference gives the same evidence with other random numbers."""
        again = self.answers.run(self.answers.cells({}), ANOTHER_SEED).evidence
        for component, cases in self.answers.all_cases.cases.items():
            for case in cases:
                call = call_id(component, case.name)
                first = Expected(outcome.evidence[call], case.rules, case.masks)
                if not first.reference.failure and (found := compare(again[call], first)):
                    self._fault(
                        2, _("{call}: the reference's {name!r} differs from run to run: fill the "
                             "parameters with fill_parameters(module) of {module}, or let the "
                             "probe return what no random number decides"),
                        call=call, name=found[0].name, module=fill_parameters.__module__,
                    )  # fmt: skip

    def _in_words(self, component: str, case: str, finding: Finding) -> str:
        """A finding as students read it; `case` is the name of a visible one."""
        probe = next(
            visible.probe for visible in self.answers.visible[component] if visible.name == case
        )
        return self._said(component, probe, finding)

    def _said(self, name: str, probe: str, finding: Finding) -> str:
        component, words = self.lesson.components[name], self.lesson.words(probe)
        return explain(finding, component.defines, component.released_lines, False, words)

    def _misconceptions_are_named(self) -> None:
        for component in self._chosen:
            for answer, evidence in self._wrong_answers(component):
                self._count(3)
                self._misconception_is_named(answer, evidence)

    def _wrong_answers(
        self, component: Component
    ) -> Iterable[tuple[KnownAnswer, dict[str, Evidence]]]:
        """Each misconception of a component, and each of its fillings, with its evidence.

        It has all visible cases, the hidden one that it most likely fails and those that it
        controls; more hidden ones only where it passes these.
        """
        if component.name not in self._wrong:
            hidden = list(self.judge.answer_key.of(component.name))
            visible = set(self.answers.visible_expected(component.name))
            controls = self._controls(component.name)
            found: list[dict[str, Evidence]] = [{} for _variant in component.wrong]

            def first(place: int) -> set[str]:
                answer = component.wrong[place]
                return visible | controls[answer.name] | {*self._likely(answer)}

            def while_passing(calls: list[str]) -> Callable[[int], list[str]]:
                return lambda place: (
                    [] if self._loses_points(component.name, found[place]) else calls
                )

            def run(places: list[int], wanted: list[set[str]]) -> list[dict[str, Evidence]]:
                sources = [component.wrong[place].source for place in places]
                return self._evidence_of(component, sources, wanted)

            rounds = (first, while_passing(spread(hidden)), while_passing(hidden))
            run_in_rounds(found, rounds, run)
            self._wrong[component.name] = found
        return zip(component.wrong, self._wrong[component.name], strict=True)

    def _likely(self, answer: KnownAnswer) -> list[str]:
        """The hidden call that a misconception most likely fails, by the visible cases it fails."""
        failing = {
            case
            for misconception in self.answers.recorded(answer.component).misconceptions
            if misconception.name == answer.name
            for case, sketch in misconception.evidence.items()
            if sketch
        }
        probes = {
            case.probe for case in self.answers.visible[answer.component] if case.name in failing
        }
        hidden = self.judge.case_runner.cases[answer.component]
        alike = [case for case in hidden if case.probe in probes] or hidden
        return middle([call_id(answer.component, case.name) for case in alike])

    def _controls(self, component: str) -> dict[str, set[str]]:
        """The calls that each misconception controls."""
        controls = defaultdict[str, set[str]](set)
        for case in self.answers.all_cases.cases[component]:
            controls[case.control].add(call_id(component, case.name))
        return controls

    def _loses_points(self, component: str, evidence: dict[str, Evidence]) -> bool:
        """Whether a hidden case that was called fails."""
        hidden = self.judge.answer_key.of(component)
        return any(compare(evidence[call], hidden[call]) for call in evidence.keys() & hidden)

    def _misconception_is_named(self, answer: KnownAnswer, evidence: dict[str, Evidence]) -> None:
        who = _("{component}: the misconception {name!r}")
        if answer.blank:
            who = _("{component}: the misconception {name!r} (blank {blank})")
        who = who.format(component=answer.component, name=answer.name, blank=answer.blank)
        check = self.answers.check(answer.component, evidence)
        names = {result.misconception for result in check.values() if result.findings}
        if not self._loses_points(answer.component, evidence):
            self._fault(3, _("{who} is in truth right: it loses no points"), who=who)
        elif not names:
            self._fault(
                3, _("{who} passes every visible case, so nothing can name it: add a visible case "
                     "that it fails"),
                who=who,
            )  # fmt: skip
        if names and names != {answer.name}:
            message = _("{who} is {named} by the check{advice}")
            if "" in names:
                message = _(
                    "{who} is {named} by the check; was the lesson built since it was written? Or "
                    "does it differ from run to run, so that the probe needs torch.manual_seed(0)?"
                )
            advice = _advice(names - {"", answer.name})
            self._fault(3, message, who=who, named=_named_as(names), advice=advice)

    def _other_right_answers_earn_everything(self) -> None:
        for component in self._chosen:
            tried = self._evidence_of(component, [answer.source for answer in component.right])
            for answer, evidence in zip(component.right, tried, strict=True):
                self._count(4)
                who = _("{component}: the right answer {name!r}").format(
                    component=answer.component, name=answer.name
                )
                for test, passed in self._own_scores(answer.component, evidence):
                    if not passed:
                        why = self._why(answer.component, test, evidence)
                        self._fault(
                            4, _("{who} fails the test {test!r}: {why}"),
                            who=who, test=test, why=why,
                        )  # fmt: skip
                for case, result in self.answers.check(answer.component, evidence).items():
                    if result.findings:
                        self._fault(
                            4, _("{who} fails the check's case {case!r}: {finding}"),
                            who=who, case=case,
                            finding=self._in_words(answer.component, case, result.findings[0]),
                        )  # fmt: skip

    def _why(self, component: str, name: str, evidence: dict[str, Evidence]) -> str:
        """The first finding of the test of this name."""
        test = next(test for test in self.judge.tests[component] if test.name == name)
        for case in test.cases:
            call = call_id(component, f"{name}/{case.name}")
            expected = self.judge.answer_key.of(component)[call]
            for finding in compare(evidence[call], expected):
                said = self._said(component, case.probe, finding)
                return _("case {case!r}: {finding}").format(case=case.name, finding=said)
        return _("nothing")

    def _blanks_earn_their_points(self) -> None:
        for component in self._chosen:
            names = [blank.name for blank in component.blanks]
            alone = [{name} for name in names]
            growing = [set(names[:count]) for count in range(2, len(names) + 1)]
            tried = [*alone, *growing] or [set()]
            sources = [
                self.answers.filled(component, but=frozenset(names) - filled) for filled in tried
            ]
            found = self.judge.case_runner.evidence_of_many(
                component.name, sources, self._runners[0],
                self.answers.cells({}, rest="released"), limits=OF_AUTHORS,
            )  # fmt: skip
            for filled, evidence in zip(tried, found, strict=True):
                self._count(5)
                for test, passed in self._own_scores(component.name, evidence):
                    if passed != (self._needs[component.name, test] <= filled):
                        self._fault_in_points(component, filled, component.name, test, passed)
            # With all of them filled in, no other component may earn anything.
            whole = self.answers.cells({component.name: sources[-1]}, rest="released")
            for (owner, test), passed in self.answers.scored(whole).items():
                if passed and owner != component.name:
                    self._fault_in_points(component, tried[-1], owner, test, passed)

    def _fault_in_points(
        self, component: Component, filled: set[str], owner: str, test: str, passed: bool
    ) -> None:
        message = _("{component} with {blanks} filled does not earn the test {test!r} of {owner}")
        if passed:
            message = _("{component} with {blanks} filled earns the test {test!r} of {owner}")
        self._fault(
            5, message, component=component.name, blanks=sorted(filled), test=test, owner=owner
        )

    def _controls_fail(self) -> None:
        for chosen in self._chosen:
            component = chosen.name
            for case in self.answers.all_cases.cases[component]:
                is_invariance = any(rule.kind == "same" for rule in case.rules.values())
                if is_invariance and not case.control:
                    self._fault(
                        6, _("{component}, case {case!r}: an invariance without a control"),
                        component=component, case=case.name,
                    )  # fmt: skip
                if not case.control:
                    continue
                self._count(6)
                call = call_id(component, case.name)
                if case.name.startswith(VISIBLE):
                    visible = case.name.removeprefix(VISIBLE)
                    expected = self.answers.recorded(component).expected[visible]
                else:
                    expected = self.judge.answer_key.of(component)[call]
                for answer, evidence in self._wrong_answers(chosen):
                    if answer.name == case.control and not compare(evidence[call], expected):
                        self._fault(
                            6, _("{component}, case {case!r}: its control {control!r} passes"),
                            component=component, case=case.name, control=case.control,
                        )  # fmt: skip

    def _nothing_is_given_away(self) -> None:
        for component, tests in self.judge.tests.items():
            self._count(7)
            visible = [case.inputs for case in self.answers.visible[component]]
            hidden = [case.inputs for test in tests for case in test.cases]
            for ours, theirs in itertools.product(hidden, visible):
                if _same_inputs(ours, theirs):
                    self._fault(
                        7,
                        _("{component}: a hidden case has a visible case's inputs"),
                        component=component,
                    )
            known = {_shapes(inputs) for inputs in visible}
            if all(_shapes(inputs) in known for inputs in hidden):
                self._fault(
                    7,
                    _("{component}: all hidden cases have shapes of visible ones"),
                    component=component,
                )
        for fault in given_away(self.lesson, self.course, self.root):
            self._count(7)
            if fault:
                self.report.faults[7].append(fault)

    def _green_means_full_marks(self) -> None:
        trials = self.trials(self.judge, self._chosen)
        for component in self._chosen:
            for answer, evidence in self._wrong_answers(component):
                self._count(8)
                result = trials.result(component.name, evidence)
                if result.fails_hidden and not result.fails_visible:
                    self._fault(
                        8, _("{component}: the misconception {name!r} loses points and its check "
                             "is green"),
                        component=component.name, name=answer.name,
                    )  # fmt: skip
        made = [
            mutant
            for component in self._chosen
            for mutant in mutants(
                component.name, component.source, [right.source for right in component.right]
            )
        ]
        names = {component.name for component in self._chosen}
        entries = read_equivalents(self.lesson.folder, list(self.lesson.components))
        listed = [entry for entry in entries if entry.component in names]

        def results_of(some: Sequence[Edit], secret: str) -> list[TrialResult]:
            if secret == self.scope.secret:
                return self._results_of(trials, some)
            judge = Judge(self.lesson, secret, self._runners[0])
            return self._results_of(self.trials(judge, self._chosen, hidden_only=True), some)

        tally = survival(made, listed, self.scope.mutants, self.scope.all_secrets, results_of)
        self.report.mutants = tally
        self.report.tried[8] += tally.tried
        self.report.faults[8] += tally.faults

    def trials(
        self, judge: Judge, components: list[Component], hidden_only: bool = False
    ) -> Trials:
        """Trials of answers to some components, with the cases of a judge and of the check."""
        names = [component.name for component in components]
        trials = Trials(
            self.answers.with_visible(judge),
            self.answers.cells({}),
            {name: judge.answer_key.of(name) for name in names},
            {} if hidden_only else {name: self.answers.visible_expected(name) for name in names},
            may_vary=self.scope.secrets > 1,
        )
        for component in components:
            source = self.answers.filled(component)
            for call in trials.begin(component.name, source, self._runners[0]):
                self._fault(
                    8,
                    _("{call}: the reference fails it; was the lesson built since it was changed?"),
                    call=call,
                )
        return trials

    def _results_of(self, trials: Trials, answers: Sequence[Edit]) -> list[TrialResult]:
        """The result of each answer; those of one component are run together."""
        places = defaultdict(list)
        for place, answer in enumerate(answers):
            places[answer.component].append(place)
        parts = [
            (component, its_places[start : start + MOST_IN_A_RUN])
            for component, its_places in sorted(places.items())
            for start in range(0, len(its_places), MOST_IN_A_RUN)
        ]
        runner_pool = RunnerPool(self._runners)

        def results_of(part: tuple[str, list[int]]) -> list[tuple[int, TrialResult]]:
            component, its_places = part
            sources = [answers[place].source for place in its_places]
            with runner_pool.runner() as runner:
                return list(
                    zip(its_places, trials.results_of(component, sources, runner), strict=True)
                )

        with ThreadPoolExecutor(len(self._runners)) as pool:
            by_place = dict(itertools.chain.from_iterable(pool.map(results_of, parts)))
        return [by_place[place] for place in range(len(answers))]


def _named_as(names: set[str]) -> str:
    """What the cases named a misconception; "" stands for no name."""
    known = ", ".join(repr(name) for name in sorted(names - {""}))
    if not known:
        return _("not named")
    message = _("named {known}, in some cases not at all,") if "" in names else _("named {known}")
    return message.format(known=known)


def _advice(others: set[str]) -> str:
    """What to do about misconceptions that behave alike in some cases."""
    if not others:
        return ""
    return _(
        ': they behave alike there; make them one (filling = ["...", "..."]), or add a case that '
        "tells them apart"
    )


def _shapes(inputs: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(
        (name, tuple(value.shape) if isinstance(value, torch.Tensor) else repr(value))
        for name, value in sorted(inputs.items())
    )


def _same_inputs(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    if ours.keys() != theirs.keys() or _shapes(ours) != _shapes(theirs):
        return False
    tensors = [name for name, value in ours.items() if isinstance(value, torch.Tensor)]
    return bool(tensors) and all(torch.equal(ours[name], theirs[name]) for name in tensors)


def prove(
    lessons: list[Lesson],
    make_runner: Callable[[], Runner],
    root: Path = ROOT,
    tell: Callable[[Report], None] = lambda report: None,
    jobs: int = 2,
    scope: Scope | None = None,
    course: Course | None = None,
) -> list[Report]:
    """Prove several lessons with `jobs` runners, one for each lesson; a single lesson has all."""

    def prove_next(lesson: Lesson) -> Report:
        with runner_pool.runner() as runners:
            report = Proof(lesson, runners[0], root, scope, runners[1:], course).run()
        tell(report)
        return report

    with contextlib.ExitStack() as stack:
        runners = [stack.enter_context(make_runner()) for _ in range(jobs)]
        runner_pool = RunnerPool(
            [[runner] for runner in runners] if len(lessons) > 1 else [runners]
        )
        with ThreadPoolExecutor(jobs) as pool:
            # Later lessons take longest: begun first, none of them is left to one runner alone.
            return list(pool.map(prove_next, reversed(lessons)))[::-1]


def prove_command(
    names: list[str], console: Console | None = None, scope: Scope | None = None
) -> int:
    """The command: tables of all proofs, each fault in a line of its own; 1 if any fails."""
    console = console or Console()
    course = read_course()
    lessons = [course.lesson(name) for name in names] or list(course.lessons)
    scope = scope or Scope()

    def tell(report: Report) -> None:
        message = _("{lesson}: all proofs hold") if report.holds else _("{lesson}: DOES NOT HOLD")
        console.print(message.format(lesson=report.lesson), highlight=False)

    reports = prove(lessons, Runner, tell=tell, scope=scope, course=course)
    print_reports(reports, console, not scope.only_mutants)
    return 0 if all(report.holds for report in reports) else 1
