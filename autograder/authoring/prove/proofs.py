"""Proves, lesson by lesson, that right answers earn their points and wrong ones are named.

The proofs run the very cells that students receive, in the very way in which submissions
are run and judged.
"""

import ast
import contextlib
import dataclasses
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import nbformat
import torch
from rich.console import Console
from rich.table import Table

from autograder.errors import WrongUsage
from autograder.judging.answer_key import AnswerKey, call_id
from autograder.judging.judge import Judge
from autograder.lesson.blanks import MARK, AuthoringError
from autograder.lesson.components import Component, Variant
from autograder.lesson.course import read_course
from autograder.lesson.lesson import ROOT, Lesson
from autograder.lesson.notebook import HIDDEN_BEGIN
from autograder.sandbox.runner import Runner, RunnerPool
from autograder.sandbox.work import Cell, Outcome
from transformer_workbook.shared.evidence import Evidence
from transformer_workbook.shared.explain import open_blanks
from transformer_workbook.shared.lesson_index import Recorded, recorded
from transformer_workbook.shared.verdicts import Expected, assess, judge

from .equivalents import read_equivalents
from .mutants import Mutant, mutants
from .survival import Tally, survival
from .trials import TOGETHER, Fate, Trials, evidence_of_many

SECRET = "prove"
PROOFS = {
    1: "as released: 0 points; each blank left empty is named",
    2: "the reference earns every point, on the students' cells",
    3: "every misconception loses points and is named as itself",
    4: "every other right answer earns every point",
    5: "blanks filled one at a time earn exactly their points",
    6: "every control fails the case that it controls",
    7: "hidden cases are others than visible ones; nothing of them, and no solution, is in course/",
    8: "a green check means full marks, and no mutant earns them: what is wrong is red and loses",
}
BUDGET = 90  # mutants of a lesson, where not all are asked for


@dataclass(frozen=True)
class Scope:
    """How much is proven.

    `mutants` are tried of each lesson, all of them if it is None, under so many `secrets`, of
    which `seed` is the first. With `component`, only proof 8 is made, for this component;
    with `only_mutants`, for all components.
    """

    mutants: int | None = BUDGET
    secrets: int = 1
    seed: str = SECRET
    component: str = ""
    only_mutants: bool = False

    @property
    def is_all(self) -> bool:
        """Whether all proofs are made, not the eighth alone."""
        return not (self.component or self.only_mutants)

    @property
    def all_secrets(self) -> list[str]:
        return [self.seed, *(f"{self.seed} {n}" for n in range(2, self.secrets + 1))]


@dataclass
class Report:
    """What one lesson's proofs found: the faults by proof, and how much was tried."""

    lesson: str
    faults: dict[int, list[str]] = field(default_factory=lambda: {n: [] for n in PROOFS})
    tried: dict[int, int] = field(default_factory=lambda: dict.fromkeys(PROOFS, 0))
    mutants: Tally = field(default_factory=Tally)

    @property
    def holds(self) -> bool:
        return not any(self.faults.values())


class Proof:
    """The proofs of one lesson. `root` is the repository that holds course/.

    Mutants are tried by the runner and by `more` of them.
    """

    def __init__(
        self,
        lesson: Lesson,
        runner: Runner,
        root: Path = ROOT,
        scope: Scope | None = None,
        more: Sequence[Runner] = (),
    ):
        self.lesson, self.root, self._runner = lesson, root, runner
        self.scope, self._runners = scope or Scope(), [runner, *more]
        self.report = Report(lesson.id)
        self.judge = Judge(lesson, self.scope.seed, runner)
        self._visible = lesson.visible()
        self._refuse_what_is_stale()
        self._both = self._with_visible(self.judge)
        self._wrong: dict[str, dict[str, dict[str, Evidence]]] = {}

    def _with_visible(self, judge: Judge) -> AnswerKey:
        """Visible and hidden cases together: they are called in one run of the cells."""
        return AnswerKey(
            self.lesson,
            {
                name: [
                    *judge.answer_key.cases[name],
                    *(_named(case, f"{VISIBLE}{case.name}") for case in self._visible[name]),
                ]
                for name in self.lesson.components
            },
            self._runner,
        )

    def _refuse_what_is_stale(self) -> None:
        for component, cases in self._visible.items():
            try:
                known = set(self._recorded(component).expected)
            except (OSError, KeyError):
                known = set()
            if known != {case.name for case in cases}:
                raise AuthoringError(
                    f"{self.lesson.id}: course/ has not what the lesson says of {component}; "
                    f"run `python -m autograder build {self.lesson.id}` first"
                )

    def run(self) -> Report:
        """Run all that is in scope; the report tells what does not hold."""
        if not self.scope.is_all:
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
        return self.report

    # What is run.

    @cached_property
    def _released(self) -> dict[str, str]:
        """The students' answer cells, from the notebook in course/."""
        path = self.root / "course" / self.lesson.id / f"{self.lesson.name}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        marks = [(cell.metadata.get("nbgrader", {}), cell) for cell in notebook.cells]
        return {
            mark["grade_id"]: cell.source
            for mark, cell in marks
            if mark.get("solution") and cell.cell_type == "code"
        }

    def _cells(self, replaced: dict[str, str], rest: str = "reference") -> list[Cell]:
        """All answer cells: those in `replaced`, the rest as the reference or as released."""
        return [
            Cell(
                name,
                "answer",
                replaced.get(
                    name, self._released[name] if rest == "released" else self._filled(component)
                ),
            )
            for name, component in self.lesson.components.items()
        ]

    def _filled(self, component: Component, but: frozenset = frozenset()) -> str:
        """The student's cell with its blanks filled in as the reference has them, `but` some."""
        if component.is_bug_hunt:
            return component.source
        pieces = self._released[component.name].split(MARK)
        fillings = [MARK if blank.name in but else blank.text for blank in component.blanks]
        pairs = itertools.zip_longest(pieces, fillings, fillvalue="")
        return "".join(piece + filling for piece, filling in pairs)

    def _evidence(self, cells: list[Cell], components: list[str] | None = None) -> Outcome:
        return self._runner.run(self._both.work(cells, components))

    def _scores(self, outcome: Outcome) -> dict[tuple[str, str], bool]:
        """Which tests pass, by component and test. Names of misconceptions are not needed."""
        passed = {}
        for component, tests in self.judge.tests.items():
            expected = self.judge.answer_key.of(component)
            for test in tests:
                calls = [call_id(component, f"{test.name}/{case.name}") for case in test.cases]
                passed[component, test.name] = not any(
                    judge(outcome.evidence[call], s.reference, s.rules, s.masks)
                    for call in calls
                    if (s := expected[call]) and call in outcome.evidence
                )
        return passed

    def _recorded(self, component: str) -> Recorded:
        folder = self.root / "course" / "transformer_workbook" / "recorded"
        return recorded(self.lesson.id, component, folder)

    def _check(self, component: str, evidence: dict[str, Evidence]) -> dict:
        """What the student's check says of the evidence, from what is recorded in course/."""
        known = self._recorded(component)
        of = {case: evidence[call_id(component, VISIBLE + case)] for case in known.expected}
        return assess(known.expected, known.known, of)

    # The proofs.

    def _fault(self, proof: int, text: str) -> None:
        self.report.faults[proof].append(text)

    def _try(self, proof: int) -> None:
        self.report.tried[proof] += 1

    def _released_earns_nothing(self) -> None:
        self._try(1)
        if set(self._released) != set(self.lesson.components):
            self._fault(1, f"the notebook's answer cells are {sorted(self._released)}")
            return
        scores = self._scores(self._evidence(self._cells(self._released)))
        for (component, test), passed in scores.items():
            if passed:
                self._fault(1, f"{component}, test {test!r}: passes as released")
        self._needs: dict[tuple[str, str], set[str]] = {key: set() for key in scores}
        for component in self.lesson.components.values():
            for blank in component.blanks:
                self._leave_empty(component, blank)

    def _leave_empty(self, component: Component, blank) -> None:
        self._try(1)
        source = self._filled(component, but=frozenset([blank.name]))
        outcome = self._evidence(self._cells({component.name: source}), [component.name])
        failures = [e.failure for e in outcome.evidence.values() if e.failure]
        named = [
            failure
            for failure in failures
            if failure.kind == "blank"
            and open_blanks(failure.line, component.released_lines) == [blank.name]
        ]
        if not named:
            said = {f"{failure.type}: {failure.message}" for failure in failures} or "nothing"
            self._fault(1, f"{component.name}: the empty blank {blank.name!r} gives {said}")
        for (of, test), passed in self._scores(outcome).items():
            if of == component.name and not passed:
                self._needs[of, test].add(blank.name)
        if not any(blank.name in needs for (of, _), needs in self._needs.items()
                   if of == component.name):  # fmt: skip
            self._fault(1, f"{component.name}: leaving {blank.name!r} empty loses no points")

    def _reference_earns_everything(self) -> None:
        self._try(2)
        outcome = self._evidence(self._cells({}))
        for name, failure in outcome.cells.items():
            self._fault(2, f"the cell {name!r} failed: {failure}")
        for (component, test), passed in self._scores(outcome).items():
            if not passed:
                self._fault(2, f"{component}, test {test!r}: the reference fails it")
        for component in self.lesson.components:
            for case, result in self._check(component, outcome.evidence).items():
                if result.findings:
                    self._fault(2, f"{component}: the check's case {case!r} fails the "
                                   f"reference: {result.findings[0]}")  # fmt: skip

    def _misconceptions_are_named(self) -> None:
        for component in self.lesson.components.values():
            found = self._evidence_of_wrong(component)
            self.judge.answer_key.learn(component.name, list(found.items()))
            for variant in component.wrong:
                self._try(3)
                self._name(variant, found[variant.name])

    def _evidence_of_wrong(self, component: Component) -> dict[str, dict[str, Evidence]]:
        """The evidence of each misconception of a component, by its name."""
        if component.name not in self._wrong:
            sources = [variant.source for variant in component.wrong]
            found = evidence_of_many(
                self._both, self._cells({}), component.name, sources, self._runner
            )
            names = [variant.name for variant in component.wrong]
            self._wrong[component.name] = dict(zip(names, found, strict=True))
        return self._wrong[component.name]

    def _name(self, variant: Variant, evidence: dict[str, Evidence]) -> None:
        who = f"{variant.component}: the misconception {variant.name!r}"
        blank = f" (blank {variant.blank})" if variant.blank else ""
        hidden = self.judge.answer_key.assess(variant.component, evidence)
        names = {result.misconception for result in hidden.values() if result.findings}
        if not names:
            self._fault(3, f"{who}{blank} is in truth right: it loses no points")
        elif names != {variant.name}:
            self._fault(3, f"{who}{blank} is {_said(names)} by the hidden tests")
        check = self._check(variant.component, evidence)
        names = {result.misconception for result in check.values() if result.findings}
        if names and names != {variant.name}:
            built = "" if "" not in names else "; was the lesson built since it was written?"
            self._fault(3, f"{who}{blank} is {_said(names)} by the check{built}")

    def _other_right_answers_earn_everything(self) -> None:
        for component in self.lesson.components.values():
            for variant in component.right:
                self._try(4)
                cells = self._cells({variant.component: variant.source})
                outcome = self._evidence(cells, [variant.component])
                who = f"{variant.component}: the right answer {variant.name!r}"
                for (of, test), passed in self._scores(outcome).items():
                    if of == variant.component and not passed:
                        self._fault(4, f"{who} fails the test {test!r}: "
                                       f"{self._why(of, test, outcome)}")  # fmt: skip
                for case, result in self._check(variant.component, outcome.evidence).items():
                    if result.findings:
                        self._fault(4, f"{who} fails the check's case {case!r}: "
                                       f"{result.findings[0]}")  # fmt: skip

    def _why(self, component: str, test: str, outcome: Outcome) -> str:
        expected = self.judge.answer_key.of(component)
        of = next(one for one in self.judge.tests[component] if one.name == test)
        for case in of.cases:
            call = call_id(component, f"{test}/{case.name}")
            s = expected[call]
            for finding in judge(outcome.evidence[call], s.reference, s.rules, s.masks):
                return f"case {case.name!r}: {finding}"
        return "nothing"

    def _blanks_earn_their_points(self) -> None:
        for component in self.lesson.components.values():
            names = [blank.name for blank in component.blanks]
            alone = [{name} for name in names]
            growing = [set(names[:count]) for count in range(2, len(names) + 1)]
            for filled in [*alone, *growing] or [set()]:
                self._try(5)
                source = self._filled(component, but=frozenset(names) - filled)
                outcome = self._evidence(self._cells({component.name: source}, rest="released"))
                for (of, test), passed in self._scores(outcome).items():
                    due = of == component.name and self._needs[of, test] <= filled
                    if passed != due:
                        said = "earns" if passed else "does not earn"
                        self._fault(5, f"{component.name} with {sorted(filled)} filled {said} "
                                       f"the test {test!r} of {of}")  # fmt: skip

    def _controls_fail(self) -> None:
        for component, cases in self._both.cases.items():
            for case in cases:
                pairs = [name for name, rule in case.rules.items() if rule.kind == "same"]
                if pairs and not case.control:
                    self._fault(6, f"{component}, case {case.name!r}: an invariance without "
                                   "a control")  # fmt: skip
                if not case.control:
                    continue
                self._try(6)
                call = call_id(component, case.name)
                if case.name.startswith(VISIBLE):
                    visible = case.name.removeprefix(VISIBLE)
                    expected = self._recorded(component).expected[visible]
                else:
                    expected = self.judge.answer_key.of(component)[call]
                evidence = self._wrong[component][case.control][call]
                if not judge(evidence, expected.reference, expected.rules, expected.masks):
                    self._fault(6, f"{component}, case {case.name!r}: its control "
                                   f"{case.control!r} passes")  # fmt: skip

    def _nothing_is_given_away(self) -> None:
        for component, tests in self.judge.tests.items():
            self._try(7)
            visible = [case.inputs for case in self._visible[component]]
            hidden = [case.inputs for test in tests for case in test.cases]
            for ours, theirs in itertools.product(hidden, visible):
                if _same_inputs(ours, theirs):
                    self._fault(7, f"{component}: a hidden case has a visible case's inputs")
            known = {_shapes(inputs) for inputs in visible}
            if all(_shapes(inputs) in known for inputs in hidden):
                self._fault(7, f"{component}: all hidden cases have shapes of visible ones")
        for path, text in course_texts(self.root / "course"):
            for what, piece in self._secrets:
                self.report.tried[7] += 1
                if piece in text:
                    self._fault(7, f"{path.relative_to(self.root)} holds {what}: {piece!r}")

    # Mutants.

    def _green_means_full_marks(self) -> None:
        chosen = [
            component
            for component in self.lesson.components.values()
            if self.scope.component in ("", component.name)
        ]
        trials = self.trials(self.judge, chosen)
        for component in chosen:
            for name, evidence in self._evidence_of_wrong(component).items():
                self._try(8)
                fate = trials.fate(component.name, evidence)
                if fate.loses and not fate.is_red:
                    self._fault(8, f"{component.name}: the misconception {name!r} loses points "
                                   "and its check is green")  # fmt: skip
        made = [
            mutant
            for component in chosen
            for mutant in mutants(
                component.name, component.source, [right.source for right in component.right]
            )
        ]
        names = {component.name for component in chosen}
        entries = read_equivalents(self.lesson.folder, list(self.lesson.components))
        listed = [one for one in entries if one.component in names]

        def fates(some: Sequence[Mutant], secret: str) -> list[Fate]:
            if secret == self.scope.seed:
                return self._fates(trials, some)
            judge = Judge(self.lesson, secret, self._runner)
            return self._fates(self.trials(judge, chosen, hidden_only=True), some)

        tally = survival(made, listed, self.scope.mutants, self.scope.all_secrets, fates)
        self.report.mutants = tally
        self.report.tried[8] += tally.tried
        self.report.faults[8] += tally.faults

    def trials(
        self, judge: Judge, components: list[Component], hidden_only: bool = False
    ) -> Trials:
        """What tries answers to some components, with the cases of a judge and of the check."""
        names = [component.name for component in components]
        trials = Trials(
            self._with_visible(judge),
            self._cells({}),
            {name: judge.answer_key.of(name) for name in names},
            {} if hidden_only else {name: self._visible_expected(name) for name in names},
        )
        for component in components:
            for call in trials.begin(component.name, self._filled(component), self._runner):
                self._fault(8, f"{call}: the reference fails it; was the lesson built since it "
                               "was changed?")  # fmt: skip
        return trials

    def _visible_expected(self, component: str) -> dict[str, Expected]:
        known = self._recorded(component).expected
        return {call_id(component, VISIBLE + case): of for case, of in known.items()}

    def _fates(self, trials: Trials, answers: Sequence[Mutant]) -> list[Fate]:
        """The fate of each answer; those of one component are run together."""
        parts = [
            part
            for _, of in itertools.groupby(
                sorted(enumerate(answers), key=lambda pair: pair[1].component),
                key=lambda pair: pair[1].component,
            )
            for part in _parts(list(of))
        ]

        runner_pool = RunnerPool(self._runners)

        def fates(part: list[tuple[int, Mutant]]) -> list[Fate]:
            sources = [answer.source for _, answer in part]
            with runner_pool.runner() as runner:
                return trials.fates(part[0][1].component, sources, runner)

        with ThreadPoolExecutor(len(self._runners)) as pool:
            found = {
                index: fate
                for part, of in zip(parts, pool.map(fates, parts), strict=True)
                for (index, _), fate in zip(part, of, strict=True)
            }
        return [found[index] for index in range(len(answers))]

    @cached_property
    def _secrets(self) -> list[tuple[str, str]]:
        """Texts that students must not find: solution lines, hidden cases, test marks."""
        secrets = [("a test's mark", squeeze(HIDDEN_BEGIN)), *solution_texts(self.lesson)]
        for line in (self.lesson.folder / "hidden.py").read_text(encoding="utf-8").splitlines():
            if len(line.strip()) > 30 and not line.lstrip().startswith(("#", '"""', "from ")):
                secrets.append(("a line of hidden.py", squeeze(line)))
        shipped = [self.lesson.folder / name for name in ("visible.py", "probes.py")]
        shared = {
            squeeze(line)
            for path in shipped
            for line in path.read_text(encoding="utf-8").splitlines()
        }
        return [(what, text) for what, text in dict.fromkeys(secrets) if text not in shared]


VISIBLE = "visible: "


def _named(case, name: str):
    return dataclasses.replace(case, name=name)


def _parts(items: list) -> Iterable[list]:
    return (items[start : start + TOGETHER] for start in range(0, len(items), TOGETHER))


def _said(names: set[str]) -> str:
    """What a misconception was taken for, by all cases together; "" is for none."""
    known = ", ".join(repr(name) for name in sorted(names - {""}))
    if not known:
        return "not named"
    return f"named {known}" + (", in some cases not at all," if "" in names else "")


def _filled_lines(component: Component) -> Iterator[str]:
    """The reference's lines that hold a blank, without their comments, whole statements each."""
    tree = ast.parse(component.source)
    for blank in component.blanks:
        line = component.source.count("\n", 0, blank.span.start) + 1
        holding = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
        ]
        innermost = max(holding, key=lambda node: node.lineno)
        if isinstance(innermost, ast.If | ast.While | ast.For):
            first = component.source.splitlines()[innermost.lineno - 1]
            yield first
        else:
            yield ast.get_source_segment(component.source, innermost) or ""


def solution_texts(lesson: Lesson) -> list[tuple[str, str]]:
    """What solves a lesson's blanks and bug hunts: what it is, and its text, squeezed."""
    found = []
    for component in lesson.components.values():
        if component.is_bug_hunt:
            found.append((f"the repaired {component.name}", squeeze(component.source)))
        for line in _filled_lines(component):
            found.append((f"a solution of {component.name}", squeeze(line)))
    return found


def squeeze(text: str) -> str:
    """The text without white space and with one kind of quotes, so that layout hides nothing."""
    return re.sub(r"\s+", "", text).replace('"', "'")


def course_texts(course: Path) -> Iterator[tuple[Path, str]]:
    """All texts that students receive, squeezed. Notebooks as their cells' sources."""
    for path in sorted(course.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts or "my_transformer" in path.parts:
            continue
        if path.suffix == ".ipynb":
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            text = "\n".join("".join(cell["source"]) for cell in cells)
        elif path.suffix == ".json":
            text = " ".join(_strings(json.loads(path.read_text(encoding="utf-8"))))
        else:
            text = path.read_bytes().decode("utf-8", "replace")
        yield path, squeeze(text)


def _strings(node) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from _strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from _strings(value)


def _shapes(inputs: dict) -> tuple:
    return tuple(
        (name, tuple(value.shape) if isinstance(value, torch.Tensor) else repr(value))
        for name, value in sorted(inputs.items())
    )


def _same_inputs(ours: dict, theirs: dict) -> bool:
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
) -> list[Report]:
    """Prove several lessons with `jobs` runners: each lesson has one, a single lesson all."""

    def one(lesson: Lesson) -> Report:
        with runner_pool.runner() as some:
            report = Proof(lesson, some[0], root, scope, some[1:]).run()
        tell(report)
        return report

    with contextlib.ExitStack() as stack:
        runners = [stack.enter_context(make_runner()) for _ in range(jobs)]
        runner_pool = RunnerPool(
            [[runner] for runner in runners] if len(lessons) > 1 else [runners]
        )
        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(one, lessons))


def run(names: list[str], console: Console | None = None, scope: Scope | None = None) -> int:
    """The command: tables of all proofs, each fault in a line of its own; 1 if any fails."""
    console = console or Console()
    course = read_course()
    lessons = [course.lesson(name) for name in names] or list(course.lessons)
    scope = scope or Scope()
    if scope.component:
        lessons = [lesson for lesson in lessons if scope.component in lesson.components]
        if not lessons:
            raise WrongUsage(f"no lesson given has a component {scope.component!r}")
    reports = prove(
        lessons,
        Runner,
        tell=lambda report: console.print(
            f"{report.lesson}: {'all proofs hold' if report.holds else 'DOES NOT HOLD'}",
            highlight=False,
        ),
        scope=scope,
    )
    if scope.is_all:
        _print_proofs(reports, console)
    _print_mutants(reports, console)
    for report in reports:
        for number, faults in report.faults.items():
            for fault in faults:
                console.print(f"{report.lesson}, proof {number}: {fault}", markup=False,
                              highlight=False, soft_wrap=True)  # fmt: skip
    return 0 if all(report.holds for report in reports) else 1


def _print_proofs(reports: list[Report], console: Console) -> None:
    table = Table(title="Proofs (number of things tried; ✗ number of faults)")
    table.add_column("lesson", no_wrap=True)
    for number in PROOFS:
        table.add_column(str(number), justify="right")
    for report in reports:
        table.add_row(
            report.lesson,
            *(
                f"✗ {len(report.faults[n])}" if report.faults[n] else f"✓ {report.tried[n]}"
                for n in PROOFS
            ),
        )
    console.print(table)
    for number, text in PROOFS.items():
        console.print(f"{number}  {text}", highlight=False)


def _print_mutants(reports: list[Report], console: Console) -> None:
    table = Table(title="Mutants: right answers with one change made by rule")
    table.add_column("lesson", no_wrap=True)
    for column in ("made", "tried", "lose points", "red check", "alike", "survive", "green, lose"):
        table.add_column(column, justify="right")
    rows = [
        (of.made, of.tried, of.lose, of.red, of.equivalent, len(of.survivors), len(of.green))
        for of in (report.mutants for report in reports)
    ]
    for report, row in zip(reports, rows, strict=True):
        table.add_row(report.lesson, *map(str, row))
    if len(rows) > 1:
        table.add_row("all", *(str(sum(column)) for column in zip(*rows, strict=True)))
    console.print(table)
