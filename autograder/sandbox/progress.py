"""The progress of a submission over all attempts; evidence is validated as it arrives."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograder.language import _
from transformer_workbook.shared.evidence import Evidence, Failure
from transformer_workbook.shared.forbidden_calls import aliases
from transformer_workbook.shared.packing import BadData

from .job import Cell, Job, Outcome, Plan, RunnerFault
from .student.confinement.processes import describe_end


class Progress:
    """How far one submission has come over all attempts, and its current step.

    `evidence_limit` is the most bytes of evidence that it may send. `further_plans` is called once
    all plans of `job` have been carried out.
    """

    def __init__(
        self,
        job: Job,
        evidence_limit: int,
        further_plans: Callable[[Outcome], Sequence[Plan]] | None = None,
    ):
        self.job, self._further_plans = job, further_plans
        self._evidence_limit, self._evidence_bytes = evidence_limit, 0
        self.outcome = Outcome()
        self.step: int | Plan | str | None = None  # a cell's index, a plan, or "done"
        self.misbehaved = 0  # steps that ended the process, or had it ended, but not by time
        self.is_in_doubt = False  # whether another submission may have taken the memory it lacked
        self._excluded: set[int] = set()  # indices of cells that ended the process
        self._plans = list(job.plans)  # those still to be carried out
        self._expected: set[str] = set()  # calls of the first plan without evidence

    def is_unfinished(self) -> bool:
        return self.step != "done"

    def cells_left(self) -> list[tuple[int, Cell]]:
        return [(i, cell) for i, cell in enumerate(self.job.cells) if i not in self._excluded]

    def plans_left(self) -> Iterator[Plan]:
        while self._plans_to_do():
            self._expected = {call.id for call in self._plans[0].calls}
            self._expected -= self.outcome.evidence.keys()
            yield self._plans[0]
        self.step = "done"

    def add_cell(self, index: int, failure: Failure | None) -> None:
        name = self.job.cells[index].name
        self.outcome.cells.pop(name, None)
        if failure:
            self.outcome.cells[name] = failure

    def add_evidence(self, call: object, tree: object) -> None:
        if not isinstance(call, str) or call not in self._expected:
            raise BadData(_("evidence came that nobody asked for"))
        evidence = _clean_evidence(Evidence.from_tree(tree))
        self._evidence_bytes += sum(tensor.nbytes for tensor in evidence.tensors.values())
        if self._evidence_bytes > self._evidence_limit:
            raise BadData(_("there is too much of it"))
        self.outcome.evidence[call] = evidence
        self._expected.remove(call)

    def add_refused(self, names: object) -> None:
        if not isinstance(names, list):
            raise BadData(_("it is no list of names"))
        plan = self._plans[0]
        # The student's code can send any name; keep those that this plan forbids.
        sent = {name for name in names if isinstance(name, str)}
        refused = [name for name in dict.fromkeys(aliases(plan.forbidden).values()) if name in sent]
        if refused:
            self.outcome.refused[plan.component] = refused

    def end_plan(self, code: object) -> None:
        if code is None:
            self._close_plan(Failure("timeout", message=_("it took too long and was stopped")))
        elif type(code) is int:
            self._close_plan(Failure("died", message=describe_end(code)))
        else:
            raise BadData(_("a plan ended in no known way"))

    def blame(self, failure: Failure) -> None:
        """Record that the current step ended the process, and exclude it from further attempts.

        Raises RunnerFault if there was no step yet.
        """
        if self.step is None:
            raise RunnerFault(
                _("a process for a submission did not start: {message}"), message=failure.message
            )
        if isinstance(self.step, Plan):
            self._close_plan(failure)
            if not self._plans_to_do():
                self.step = "done"
            return
        assert isinstance(self.step, int)
        cell = self.job.cells[self.step]
        self._excluded.add(self.step)
        self.outcome.cells[cell.name] = failure
        if cell.kind == "answer":
            for plan in [plan for plan in self._plans if plan.component == cell.name]:
                self._plans.remove(plan)
                self._record_failure(plan, failure)

    def give_up(self, failure: Failure) -> None:
        """Record this failure for each call that has no evidence yet."""
        for plan in self._plans:
            self._record_failure(plan, failure)

    def _plans_to_do(self) -> list[Plan]:
        """The plans that are left; once there are none, the further ones, which it asks for."""
        if not self._plans and self._further_plans:
            further_plans, self._further_plans = self._further_plans, None
            self._plans += further_plans(self.outcome)
        return self._plans

    def _close_plan(self, failure: Failure) -> None:
        self._record_failure(self._plans.pop(0), failure)

    def _record_failure(self, plan: Plan, failure: Failure) -> None:
        for call in plan.calls:
            self.outcome.evidence.setdefault(call.id, Evidence(failure=failure))


def failure_from(tree: object) -> Failure | None:
    """The failure that an untrusted process sent, with its texts cleaned and cut.

    Raises BadData if `tree` is not a failure.
    """
    failure = Evidence.from_tree({"tensors": {}, "values": {}, "failure": tree}).failure
    return failure and _clean_failure(failure)


def _clean_evidence(sent: Evidence) -> Evidence:
    failure = sent.failure and _clean_failure(sent.failure)
    return Evidence(sent.tensors, {_clean(k): _clean(v) for k, v in sent.values.items()}, failure)


def _clean_failure(failure: Failure) -> Failure:
    return Failure(**{
        name: _clean(text)[: LONGEST.get(name, 200)] for name, text in vars(failure).items()
    })  # fmt: skip


LONGEST = {"message": 2000, "line": 500, "names": 400}  # characters


def _clean(value: Any) -> Any:
    """The value, with characters replaced that UTF-8 cannot encode."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value
