"""Finds the first value in a trace that is not as in the traces of right answers."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from ..edits.source import code_of
from ..shared.packing import BadData
from .trace import (
    IN_PART,
    MOST_VALUES,
    RESULT,
    Assigned,
    function_around,
    lines_of_statements,
    most_assignments,
    name_of,
    names_read,
)
from .values import TracedValue, are_alike, are_comparable, are_moved, from_tree, to_tree

MOST_SUSPECTS = 4  # lines that are told
MOST_VARIANTS = 4  # in which right answers may differ: a variable of more means nothing
LEAST = 2  # passing cases that show that a variable may have any value: one may pass by chance

# By variable: the lists of the values that it takes, one after another, in different right answers.
ReferenceTraces = Mapping[str, Sequence[Sequence[TracedValue]]]


@dataclass(frozen=True)
class FirstDivergence:
    """The first wrong value of a case, and the line that assigned it.

    `turn` is how many values the variable had before, `runs` how many of them this line had
    assigned. `right` is the last variable before it with a right value; empty if there is none. If
    a function returns a variable of the student's own, `own` is its name, and the line is the one
    that assigned it. `lines` run from the last right value of the function to this one; `suspects`
    are those of them that no right answer has, so that the mistake may be there. `is_moved` says
    that the numbers are right, but in other places, or with axes more or fewer. `is_aligned` says
    that the function computes what the reference's does, step by step; if not, a variable of the
    same name may hold something else.
    """

    case: str
    variable: str
    turn: int
    line: str
    actual: TracedValue
    expected: TracedValue
    right: str = ""
    own: str = ""
    lines: tuple[str, ...] = ()
    is_moved: bool = False
    runs: int = 0
    suspects: tuple[str, ...] = ()
    is_aligned: bool = False

    @property
    def is_written_right(self) -> bool:
        """Whether a right answer has this line too, so that the mistake is before it."""
        return bool(self.suspects) and self.line not in self.suspects

    @property
    def name(self) -> str:
        return name_of(self.variable)

    @property
    def function(self) -> str:
        return self.variable.partition(" ")[0].rpartition(".")[2]

    def to_tree(self) -> list[object]:
        """What `divergence_from_tree` reads."""
        place = [self.case, self.variable, self.turn, self.line, self.right, self.own]
        lines = [list(self.lines), list(self.suspects)]
        return [*place, *lines, self.runs, self.is_aligned, to_tree(self.actual)]


def divergence_from_tree(
    tree: Any, references: Mapping[str, ReferenceTraces], source: str
) -> FirstDivergence | None:
    """Read `FirstDivergence.to_tree` back from untrusted code; None if it cannot be true."""
    match tree:
        case [
            str(case), str(variable), int(turn), str(line), str(right), str(own), list(lines),
            list(suspects), int(runs), bool(is_aligned), actual,
        ]:  # fmt: skip
            case_references = references.get(case, {})
        case _:
            return None
    if not all(type(count) is int and 0 <= count < MOST_VALUES for count in (turn, runs)):
        return None
    possible = [way[turn] for way in case_references.get(variable, ()) if turn < len(way)]
    if (
        not possible
        or not _is_line_of(source, line)
        or (own and not (own.isidentifier() and own in source))
        or (right and right not in case_references)
    ):
        return None
    most = source.count("\n") + 1
    if not suspects or max(len(lines), len(suspects)) > most:
        return None
    if not all(map(partial(_is_line_of, source), (*lines, *suspects))):
        return None
    try:
        value = from_tree(actual)
    except BadData:
        return None
    if any(are_alike(value, expected) for expected in possible):
        return None
    place = (case, variable, turn, line)
    divergence = FirstDivergence(*place, value, possible[0], right, own, tuple(lines), runs=runs)
    return replace(divergence, suspects=tuple(suspects), is_aligned=is_aligned)


def _is_line_of(source: str, line: Any) -> bool:
    return isinstance(line, str) and line.strip() != "" and line in source


def reference_traces(
    traces: Iterable[Mapping[str, Sequence[TracedValue]]], watched: Collection[str]
) -> ReferenceTraces:
    """The different values that the watched variables take in the right answers to one case.

    The first trace is the reference's; variables that it does not have are left out.
    """
    reference, *others = traces
    references = {variable: [list(reference[variable])] for variable in watched & reference.keys()}
    for trace in others:
        for variable in references.keys() & trace.keys():
            values = list(trace[variable])
            if not any(are_alike(values, way) for way in references[variable]):
                references[variable].append(values)
    return {
        variable: variants
        for variable, variants in references.items()
        if len(variants) <= MOST_VARIANTS
    }


def first_divergence(
    traces: Mapping[str, Sequence[Assigned]],
    references: Mapping[str, ReferenceTraces],
    failing: Collection[str],
    source: str,
    written_right: Collection[str] = (),
) -> FirstDivergence | None:
    """The first wrong value that most failing cases share; None if no case has one.

    `traces` and `references` are by case, `written_right` has the lines that right answers have
    too. A variable that differs in several passing cases may have any value, and so may one from
    which a right value is computed, or that is assigned in more steps than in the reference. Moved
    numbers count only if nothing else is wrong: many right answers order the axes differently on
    the way. If no line can be blamed, the student computes the value differently; ignore it.
    """
    passing = {case: trace for case, trace in traces.items() if case not in failing}
    free = _free(passing, references, least=min(LEAST, len(failing)))
    free |= _in_more_steps(source, references)
    firsts = []
    for case in failing:
        trace_and_references = (traces.get(case, ()), references.get(case, {}))
        comparison = _Comparison(case, *trace_and_references, source, written_right)
        wrong_values = [binding for binding in comparison.wrong if binding.variable not in free]
        wrong_values = [wrong for wrong in wrong_values if not comparison.is_corrected_later(wrong)]
        first = min(wrong_values, key=lambda one: one.is_moved, default=None)
        if first and first.suspects and (first.right or first.name != RESULT):
            firsts.append(replace(first, is_aligned=comparison.is_aligned(first)))
    if not firsts:
        return None
    (most, _count), *_others = Counter((one.variable, one.line) for one in firsts).most_common(1)
    return next(one for one in firsts if (one.variable, one.line) == most)


def _in_more_steps(source: str, references: Mapping[str, ReferenceTraces]) -> set[str]:
    """The variables that are assigned more often than in any call of the reference.

    One value is computed in several steps then, so the values do not belong together by turns.
    """
    turns, of_all_calls = Counter[str](), Counter[str]()
    for of_case in references.values():
        for variable, (of_reference, *_others) in of_case.items():
            result = f"{variable.partition(' ')[0]} {RESULT}"
            if calls := of_case.get(result, [[]])[0]:
                of_call = math.ceil(len(of_reference) / len(calls))
                turns[variable] = max(turns[variable], of_call)
            else:
                of_all_calls[variable] = max(of_all_calls[variable], len(of_reference))
    turns = Counter({**of_all_calls, **turns})
    counts = most_assignments(source) if source else {}
    return {variable for variable in turns if counts.get(variable, 0) > turns[variable]}


def _free(
    passing: Mapping[str, Sequence[Assigned]], references: Mapping[str, ReferenceTraces], least: int
) -> set[str]:
    """The variables with values in at least `least` passing cases, and wrong ones in each."""
    has_value, is_right = Counter[str](), set()
    for case, trace in passing.items():
        bound = {step.variable for step in trace} & references.get(case, {}).keys()
        has_value.update(bound)
        is_right |= bound - wrong_variables({case: trace}, references)
    return {name for name, cases in has_value.items() if cases >= least} - is_right


def wrong_variables(
    traces: Mapping[str, Sequence[Assigned]], references: Mapping[str, ReferenceTraces]
) -> set[str]:
    """The variables whose numbers differ from those of right answers in some case."""
    return {
        wrong.variable
        for case, trace in traces.items()
        for wrong in _Comparison(case, trace, references.get(case, {})).wrong
        if not wrong.is_moved
    }


def is_right(
    wrong: FirstDivergence, trace: Sequence[Assigned], references: ReferenceTraces
) -> bool:
    """Whether a changed source, by its trace, has a right value there, and none wrong before."""
    wrong_values = _Comparison(wrong.case, trace, references).wrong
    wrong_values = [
        wrong_value for wrong_value in wrong_values if wrong.is_moved or not wrong_value.is_moved
    ]
    place = _place(wrong, trace)
    if place < 0 or (wrong_values and _place(wrong_values[0], trace) <= place):
        return False
    possible = [
        way[wrong.turn] for way in references.get(wrong.variable, ()) if len(way) > wrong.turn
    ]
    return not possible or any(are_comparable(trace[place].value, value) for value in possible)


def _place(wrong: FirstDivergence, trace: Sequence[Assigned]) -> int:
    """The index in a trace of the variable's value number `turn`; -1 if it is not there."""
    places = [index for index, bound in enumerate(trace) if bound.variable == wrong.variable]
    return places[wrong.turn] if wrong.turn < len(places) else -1


class _Comparison:
    """Compares the trace of one case with those of right answers.

    `wrong` has the first wrong value of each variable, in the order of the trace.
    """

    def __init__(
        self,
        case: str,
        trace: Sequence[Assigned],
        references: ReferenceTraces,
        source: str = "",
        written_right: Collection[str] = (),
    ):
        self._case, self._trace, self._references = case, trace, references
        self._source, self._lines = source, source.splitlines()
        self._written_right = written_right
        self._right: list[int] = []  # places in the trace
        self._compared: dict[int, bool] = {}  # by place, whether the numbers are right
        self.wrong = list(self._compare())

    def _compare(self) -> Iterator[FirstDivergence]:
        turns, yielded = Counter[str](), set()
        for place, bound in enumerate(self._trace):
            variable, turn = bound.variable, turns[bound.variable]
            turns[variable] += 1
            possible = [way[turn] for way in self._references.get(variable, ()) if len(way) > turn]
            possible = [value for value in possible if are_comparable(bound.value, value)]
            if not possible or self._is_filled_later(variable):
                continue
            self._compared[place] = True
            if any(are_alike(bound.value, value) for value in possible):
                self._right.append(place)
                continue
            if self._is_from_another_turn(bound):
                continue
            self._compared[place] = is_moved = any(
                are_moved(bound.value, value) for value in possible
            )
            if (variable, is_moved) not in yielded:
                yielded |= {(variable, is_moved), (variable, True)}
                yield self._divergence(place, turn, possible[0], is_moved)

    def is_aligned(self, wrong: FirstDivergence) -> bool:
        """Whether a function computes what the reference's does, step by step.

        It does if at most one of the variables of all right answers is missing (after an exception,
        any of them may be), and if one of those before the wrong one, if there are any, has a right
        value or moved numbers.
        """
        function = wrong.variable.partition(" ")[0]
        place = _place(wrong, self._trace)
        own = {bound.variable for bound in self._trace}
        steps = {name for name in self._references if name.partition(" ")[0] == function}
        before = [
            matches
            for index, matches in self._compared.items()
            if index < place and self._trace[index].variable in steps
        ]
        is_whole = f"{function} {RESULT}" in own
        return (not before or any(before)) and (not is_whole or len(steps - own) <= 1)

    def _is_filled_later(self, variable: str) -> bool:
        """Whether a variable is filled part by part, while right answers assign it as a whole."""
        part = variable + IN_PART
        return part not in self._references and any(bound.variable == part for bound in self._trace)

    def _is_from_another_turn(self, bound: Assigned) -> bool:
        """Whether a line that is written right runs earlier or later than in right answers."""
        return _code(self._lines, bound.line) in self._written_right and any(
            are_comparable(bound.value, value) and are_alike(bound.value, value)
            for way in self._references[bound.variable]
            for value in way
        )

    def _divergence(
        self, place: int, turn: int, expected: TracedValue, is_moved: bool
    ) -> FirstDivergence:
        bound, lines = self._trace[place], self._lines
        right_values = [
            self._trace[right_place]
            for right_place in self._right
            if self._trace[right_place].name != RESULT
        ]
        right = right_values[-1] if right_values else None
        own = _returned(bound, lines)
        earlier = [(step.variable, step.line) for step in self._trace[:place]]
        runs = earlier.count((bound.variable, bound.line))
        before = [
            step
            for step in self._trace[:place]
            if step.function == bound.function and step.name == own
        ]
        assigned = before[-1] if before else bound  # where it is returned, it has its value already
        line = _code(lines, assigned.line)
        between = _between(lines, lines_of_statements(self._source), right, assigned)
        feeding = [_code(lines, number) for number in sorted(self._feeding(assigned, place))]
        feeding = [code for code in feeding if code not in between]
        if feeding:
            between = tuple(dict.fromkeys([*feeding, *(between or [line])]))
        suspects = [number for number in between or (line,) if number not in self._written_right]
        if line in self._written_right and turn:
            suspects = suspects or self._left_behind(assigned)
        return FirstDivergence(
            self._case,
            bound.variable,
            turn,
            line,
            bound.value,
            expected,
            right.variable if right else "",
            own if before else "",
            between,
            is_moved,
            runs,
            tuple(suspects),
        )

    def _feeding(self, wrong: Assigned, place: int) -> set[int]:
        """The lines that assign the student's own variables from which a value is computed.

        Right answers have no such variables, so their values were never compared.
        """
        lines, names = set[int](), set(self._reads.get(wrong.line, ()))
        for bound in reversed(self._trace[:place]):
            is_own = bound.variable not in self._references and bound.name != RESULT
            if is_own and bound.name in names and bound.function == wrong.function:
                lines.add(bound.line)
                names |= set(self._reads.get(bound.line, ()))
        return lines

    def _left_behind(self, wrong: Assigned) -> list[str]:
        """The lines of a function that may have left a wrong state for its next run."""
        statements = function_around(self._source, wrong.line)
        codes = (_code(self._lines, number) for number in statements)
        changing = [
            code
            for code in codes
            if code not in self._written_right and not code.startswith("return ")
        ]
        return list(dict.fromkeys(changing)) if len(changing) <= MOST_SUSPECTS else []

    def is_corrected_later(self, wrong: FirstDivergence) -> bool:
        """Whether a right value is computed from a wrong one: then the student's way is valid."""
        start = _place(wrong, self._trace)
        name, function = wrong.name, wrong.variable.partition(" ")[0]
        return any(
            place > start
            and self._trace[place].function == function
            and self._trace[place].variable != wrong.variable
            and name in self._reads.get(self._trace[place].line, ())
            for place in self._right
        )

    @cached_property
    def _reads(self) -> Mapping[int, Collection[str]]:
        return names_read(self._source)


def _between(
    lines: Sequence[str], statements: Sequence[int], right: Assigned | None, wrong: Assigned
) -> tuple[str, ...]:
    """The statements of the function after the last right value, up to that of the wrong one."""
    if right and right.function == wrong.function and right.line >= wrong.line:
        return ()  # a loop: the statements in between ran in its last iteration
    if right and right.function == wrong.function:
        start = right.line + 1
    else:
        heads = (n for n in range(wrong.line, 0, -1) if _code(lines, n).startswith("def "))
        start = next(heads, wrong.line - 1) + 1
    codes = (_code(lines, number) for number in statements if start <= number <= wrong.line)
    return tuple(dict.fromkeys(codes))


def _code(lines: Sequence[str], number: int) -> str:
    return code_of(lines[number - 1]) if 0 < number <= len(lines) else ""


def _returned(bound: Assigned, lines: Sequence[str]) -> str:
    """The variable that a function returns as it is; empty where it returns anything else."""
    match = re.fullmatch(r"return (\w+)", _code(lines, bound.line))
    return match[1] if match and bound.name == RESULT else ""
