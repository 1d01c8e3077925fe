"""Finds the first value in a trace that is not as in the traces of right answers."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..mutants.source import code_of
from ..shared.packing import BadData
from .trace import RESULT, Bound, lines_of_statements
from .values import Kept, are_alike, from_tree, to_tree

MOST_WAYS = 4  # in which right answers may differ: a variable of more means nothing
LEAST = 2  # cases that pass, to tell that a variable may have any value: one may pass by chance

# By variable: the values it takes, one after another, in each way that right answers have.
Ways = Mapping[str, Sequence[Sequence[Kept]]]


@dataclass(frozen=True)
class FirstWrong:
    """The first value of a case that is wrong, and the line that gave it.

    `turn` is how many values the variable had before. `right` is the variable that had a right
    value last before this one; empty if none had. Where a function returns a variable of the
    student's own, `own` is its name, and the line is where that got its value. `lines` are those
    that run from the last right value of the function to this one.
    """

    case: str
    variable: str
    turn: int
    line: str
    came: Kept
    expected: Kept
    right: str = ""
    own: str = ""
    lines: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.variable.rpartition(" ")[2]

    @property
    def function(self) -> str:
        return self.variable.partition(" ")[0].rpartition(".")[2]

    def to_tree(self) -> list:
        """What `first_wrong_of` reads."""
        place = [self.case, self.variable, self.turn, self.line, self.right, self.own]
        return [*place, list(self.lines), to_tree(self.came)]


def first_wrong_of(tree: Any, ways: Mapping[str, Ways], source: str) -> FirstWrong | None:
    """Read `FirstWrong.to_tree` back, from untrusted code: None unless it can be true."""
    match tree:
        case [
            str(case),
            str(variable),
            int(turn),
            str(line),
            str(right),
            str(own),
            list(lines),
            came,
        ]:
            of_case = ways.get(case, {})
        case _:
            return None
    possible = [way[turn] for way in of_case.get(variable, ()) if 0 <= turn < len(way)]
    is_of_source = line.strip() and line in source and own in source
    if not possible or not is_of_source or (right and right not in of_case):
        return None
    if not all(isinstance(one, str) and one.strip() and one in source for one in lines):
        return None
    try:
        value = from_tree(came)
    except BadData:
        return None
    if any(are_alike(value, expected) for expected in possible):
        return None
    return FirstWrong(case, variable, turn, line, value, possible[0], right, own, tuple(lines))


def ways_of(traces: Iterable[Mapping[str, Sequence[Kept]]], watched: Collection[str]) -> Ways:
    """The ways of the traces of right answers to one case, of the watched variables.

    The first trace is the reference's: a variable that it does not have is left out.
    """
    reference, *others = traces
    ways = {variable: [list(reference[variable])] for variable in watched & reference.keys()}
    for trace in others:
        for variable in ways.keys() & trace.keys():
            values = list(trace[variable])
            if not any(are_alike(values, way) for way in ways[variable]):
                ways[variable].append(values)
    return {variable: of_one for variable, of_one in ways.items() if len(of_one) <= MOST_WAYS}


def first_wrong(
    traces: Mapping[str, Sequence[Bound]],
    ways: Mapping[str, Ways],
    failing: Collection[str],
    source: str,
) -> FirstWrong | None:
    """The first wrong value of most failing cases; None where none has one.

    `traces` and `ways` are by case. A variable that differs in each of several cases that pass may
    have any value.
    """
    passing = {case: trace for case, trace in traces.items() if case not in failing}
    free = _free(passing, ways, least=min(LEAST, len(failing)))
    firsts = []
    for case in failing:
        found = _wrong(case, traces.get(case, ()), ways.get(case, {}), source)
        first = next((one for one in found if one.variable not in free), None)
        if first and (first.right or first.name != RESULT):
            firsts.append(first)
    if not firsts:
        return None
    (most, _count), *_others = Counter((one.variable, one.line) for one in firsts).most_common(1)
    return next(one for one in firsts if (one.variable, one.line) == most)


def _free(passing: Mapping[str, Sequence[Bound]], ways: Mapping[str, Ways], least: int) -> set[str]:
    """The variables that have a value in so many cases that pass, and never a right one."""
    has_value, is_right = Counter[str](), set()
    for case, trace in passing.items():
        bound = {one.variable for one in trace} & ways.get(case, {}).keys()
        has_value.update(bound)
        is_right |= bound - wrong_variables({case: trace}, ways)
    return {name for name, cases in has_value.items() if cases >= least} - is_right


def wrong_variables(traces: Mapping[str, Sequence[Bound]], ways: Mapping[str, Ways]) -> set[str]:
    """The variables that have a wrong value in some case."""
    return {
        found.variable
        for case, trace in traces.items()
        for found in _wrong(case, trace, ways.get(case, {}), "")
    }


def is_right(wrong: FirstWrong, trace: Sequence[Bound], ways: Ways) -> bool:
    """Whether, in the trace of a changed source, the value and all those before it are right."""
    found = next(_wrong(wrong.case, trace, ways, ""), None)
    if found is None:
        return sum(bound.variable == wrong.variable for bound in trace) > wrong.turn
    return _place(found, trace) > _place(wrong, trace) >= 0


def _place(wrong: FirstWrong, trace: Sequence[Bound]) -> int:
    """Where in a trace a variable has the value of a turn; -1 if nowhere."""
    places = [index for index, bound in enumerate(trace) if bound.variable == wrong.variable]
    return places[wrong.turn] if wrong.turn < len(places) else -1


def _wrong(case: str, trace: Iterable[Bound], ways: Ways, source: str) -> Iterator[FirstWrong]:
    """The values that no right answer has, the first of each variable, in their order."""
    lines, statements = source.splitlines(), lines_of_statements(source)
    seen: dict[str, list[Kept]] = {}
    last: dict[str, Bound] = {}
    wrong: set[str] = set()
    right = ""
    for bound in trace:
        variable = bound.variable
        before = seen.setdefault(variable, [])
        turn = len(before)
        before.append(bound.value)
        possible = [way for way in ways.get(variable, ()) if len(way) > turn]
        if possible and variable not in wrong:
            if any(are_alike(before, list(way[: turn + 1])) for way in possible):
                right = right if bound.name == RESULT else variable
            else:
                wrong.add(variable)
                expected = max(possible, key=lambda way: _alike_before(before, way))[turn]
                own = _returned(bound, lines)
                at = last.get(f"{bound.function} {own}", bound)
                yield FirstWrong(
                    case,
                    variable,
                    turn,
                    _code(lines, at.line),
                    bound.value,
                    expected,
                    right,
                    own if at is not bound else "",
                    _between(lines, statements, last.get(right), bound),
                )
        last[variable] = bound


def _between(
    lines: Sequence[str], statements: Sequence[int], right: Bound | None, wrong: Bound
) -> tuple[str, ...]:
    """The statements after that of a right value, up to that of a wrong one of the function."""
    is_before = right and right.function == wrong.function and right.line < wrong.line
    if right and is_before:
        start = right.line + 1
    else:
        heads = (n for n in range(wrong.line, 0, -1) if _code(lines, n).startswith("def "))
        start = next(heads, wrong.line - 1) + 1
    codes = (_code(lines, number) for number in statements if start <= number <= wrong.line)
    return tuple(dict.fromkeys(codes))


def _code(lines: Sequence[str], number: int) -> str:
    return code_of(lines[number - 1]) if 0 < number <= len(lines) else ""


def _returned(bound: Bound, lines: Sequence[str]) -> str:
    """The variable that a function returns as it is; empty where it returns anything else."""
    found = re.fullmatch(r"return (\w+)", _code(lines, bound.line))
    return found[1] if found and bound.name == RESULT else ""


def _alike_before(values: Sequence[Kept], way: Sequence[Kept]) -> int:
    """How many of the first values are alike."""
    count = 0
    for value, other in zip(values, way, strict=False):
        if not are_alike(value, other):
            break
        count += 1
    return count
