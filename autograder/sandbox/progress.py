"""How far a submission has come, over all attempts; evidence is validated as it arrives."""

from transformer_workbook.shared.evidence import Evidence, Failure
from transformer_workbook.shared.fence import ways
from transformer_workbook.shared.packing import BadData

from .student.processes import describe_end
from .work import Cell, Outcome, Plan, RunnerFault, Work


class Progress:
    """What is done of one submission, over all attempts, and what is being done."""

    def __init__(self, work: Work, most: int):
        self.work = work
        self._most, self._kept = most, 0  # bytes of evidence
        self.outcome = Outcome()
        self.step: int | Plan | str | None = None  # a cell's place, a plan, or "done"
        self._cut: set[int] = set()  # cells that end the process
        self._plans = list(work.plans)
        self._waiting: set[str] = set()

    def is_unfinished(self) -> bool:
        return self.step != "done"

    def cells_left(self) -> list[tuple[int, Cell]]:
        return [(i, cell) for i, cell in enumerate(self.work.cells) if i not in self._cut]

    def plans_left(self):
        while self._plans:
            self._waiting = {call.id for call in self._plans[0].calls}
            self._waiting -= self.outcome.evidence.keys()
            yield self._plans[0]
        self.step = "done"

    def cell_ended(self, index: int, failure: Failure | None) -> None:
        name = self.work.cells[index].name
        self.outcome.cells.pop(name, None)
        if failure:
            self.outcome.cells[name] = failure

    def evidence_came(self, call, tree) -> None:
        if not isinstance(call, str) or call not in self._waiting:
            raise BadData("evidence came that nobody asked for")
        evidence = _clean_evidence(Evidence.from_tree(tree))
        self._kept += sum(tensor.nbytes for tensor in evidence.tensors.values())
        if self._kept > self._most:
            raise BadData("there is too much of it")
        self.outcome.evidence[call] = evidence
        self._waiting.remove(call)

    def refusals_came(self, names) -> None:
        if not isinstance(names, list):
            raise BadData("it is no list of names")
        plan = self._plans[0]
        # Whatever the student's code sends, only what this plan refuses is told of.
        told = {name for name in names if isinstance(name, str)}
        known = [name for name in dict.fromkeys(ways(plan.forbidden).values()) if name in told]
        if known:
            self.outcome.refused[plan.component] = known

    def plan_ended(self, code) -> None:
        if code is None:
            self._close_plan(Failure("timeout", message="it took too long and was stopped"))
        elif type(code) is int:
            self._close_plan(Failure("died", message=describe_end(code)))
        else:
            raise BadData("a plan ended in no known way")

    def blame(self, failure: Failure) -> None:
        """Note that the present step ended the process, and leave it out from now on."""
        if self.step is None:
            raise RunnerFault(f"a process for a submission did not start: {failure.message}")
        if isinstance(self.step, Plan):
            self._close_plan(failure)
            if not self._plans:
                self.step = "done"
            return
        cell = self.work.cells[self.step]
        self._cut.add(self.step)
        self.outcome.cells[cell.name] = failure
        if cell.kind == "answer":
            for plan in [plan for plan in self._plans if plan.component == cell.name]:
                self._plans.remove(plan)
                self._fill(plan, failure)

    def give_up(self, failure: Failure) -> None:
        for plan in self._plans:
            self._fill(plan, failure)

    def _close_plan(self, failure: Failure) -> None:
        self._fill(self._plans.pop(0), failure)

    def _fill(self, plan: Plan, failure: Failure) -> None:
        for call in plan.calls:
            self.outcome.evidence.setdefault(call.id, Evidence(failure=failure))


# What comes from the untrusted side.


def failure_from(tree) -> Failure | None:
    failure = Evidence.from_tree({"tensors": {}, "values": {}, "failure": tree}).failure
    return failure and _clean_failure(failure)


def _clean_evidence(came: Evidence) -> Evidence:
    failure = came.failure and _clean_failure(came.failure)
    return Evidence(came.tensors, {_clean(k): _clean(v) for k, v in came.values.items()}, failure)


def _clean_failure(failure: Failure) -> Failure:
    return Failure(**{
        name: _clean(text)[: LONGEST.get(name, 200)] for name, text in vars(failure).items()
    })  # fmt: skip


LONGEST = {"message": 2000, "line": 500}  # characters


def _clean(value):
    """The same value with no text in it that cannot be written as UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_clean(one) for one in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(one) for key, one in value.items()}
    return value
