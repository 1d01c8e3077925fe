"""Wrong answers made by rule, whose evidence explains answers that nobody has listed.

They are changes of right answers: an argument taken for granted (`as_if`), one place of the code
changed (`transformer_workbook.mutants`), two misconceptions at once, a misconception of a component
that is built anew inside another one. Of those that behave alike, the most telling one is kept.
"""

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TypeVar

from autograder.judging.answer_key import AnswerKey
from autograder.lesson.blanks import MARK, Span, fill
from autograder.lesson.components import Component, Variant
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Runner
from transformer_workbook.mutants import Mutant, mutants
from transformer_workbook.mutants.source import Source, code_of
from transformer_workbook.mutants.torch_facts import AXES, TAKES_AXES, called_name, is_module
from transformer_workbook.shared.syntax import parse
from transformer_workbook.verdicts.diagnosis import Change, Explanation, failed_evidence
from transformer_workbook.verdicts.marks import mark, statements
from transformer_workbook.verdicts.sketches import Sketch, close
from transformer_workbook.verdicts.unused import unused

from .as_if import as_if, as_if_of_parts

Item = TypeVar("Item")

MOST_MUTANTS = 150  # of the reference, of one component
MOST_OF_RIGHT = 40  # of its other right answers
MOST_PAIRS = 60  # of misconceptions
MOST_INNER = 40  # misconceptions of components inside
# What a finding says better by itself, or what a student could not tell from the sentence.
UNTOLD = ("in place", "result")


@dataclass(frozen=True)
class Made:
    """A wrong answer to a component, and the change that made it."""

    change: Change
    source: str


def explanations(
    lesson: Lesson, component: Component, answer_key: AnswerKey, runner: Runner
) -> list[Explanation]:
    """What wrong answers made by rule do in the cases of the answer key, alike ones together.

    Those that behave like the reference or like a misconception are left out, and so are those that
    crash in each case that they fail: a crash tells its own place. Raises RunnerFault.
    """
    made = list(made_by_rule(lesson, component))
    evidence = answer_key.evidence_of_many(
        component.name, [answer.source for answer in made], runner
    )
    expected = answer_key.of(component.name)
    known = [_failed(misconception.evidence) for misconception in answer_key.known(component.name)]
    kept: list[Explanation] = []
    for one, its_evidence in zip(made, evidence, strict=True):
        failed = _failed(failed_evidence(expected, its_evidence))
        if all(sketch.failure for sketch in failed.values()):
            continue
        if any(_are_alike(failed, other) for other in known):
            continue
        alike = next((other for other in kept if _are_alike(failed, other.evidence)), None)
        if alike is None:
            kept.append(Explanation([one.change], failed))
        elif one.change.mark:
            alike.changes.append(one.change)
    return kept


def made_by_rule(lesson: Lesson, component: Component) -> Iterator[Made]:
    """The wrong answers, those with the most telling sentences first; no two of one text."""
    seen = {component.source, *(variant.source for variant in (*component.right, *component.wrong))}
    for made in chain(
        (Made(change, source) for change, source in as_if(component.source)),
        (Made(change, source) for change, source in as_if_of_parts(component.source)),
        _inner(lesson, component),
        _pairs(component),
        _doubled(component),
        _along_two_axes(component),
        _mutants(component),
    ):
        if made.source not in seen:
            seen.add(made.source)
            yield made


def _mutants(component: Component) -> Iterator[Made]:
    right = [one.source for one in component.right]
    for mutant in mutants(component.name, component.source, right, MOST_MUTANTS):
        place = _place(component, mutant.source)
        if place and mutant.kind not in UNTOLD and not _is_of_a_block(mutant):
            yield Made(_change(mutant, component.source, place), mutant.source)
    of_right = [
        (variant, mutant)
        for variant in component.right
        if variant.blank
        for mutant in mutants(component.name, variant.source, [component.source, *right])
        if mutant.kind not in UNTOLD and _is_in_blank(component, variant, mutant)
    ]
    for variant, mutant in _some(of_right, MOST_OF_RIGHT, lambda pair: pair[1].source):
        yield Made(_change(mutant, variant.source, {"blank": variant.blank}), mutant.source)


def _along_two_axes(component: Component) -> Iterator[Made]:
    """Each operation along the last axis, along the last two at once; all along another one."""
    source = Source(component.source)
    last = [
        axis
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and called_name(node) in TAKES_AXES
        for axis in (
            *node.args,
            *(keyword.value for keyword in node.keywords if keyword.arg in AXES),
        )
        if ast.unparse(axis) == "-1"
    ]
    for axis in last:
        both = ast.Tuple([ast.UnaryOp(ast.USub(), ast.Constant(2)), axis], ast.Load())
        yield from _swapped(component, source, "axes", axis, both)
    for other in ("0", "1", "-2", "(-2, -1)") if len(last) > 1 else ():
        spans = [Span(*source.span(axis)) for axis in last]
        text = fill(component.source, [(span, other) for span in spans])
        yield Made(Change("all axes", {"name": other}), text)


def _swapped(
    component: Component, source: Source, kind: str, node: ast.expr, new: ast.expr
) -> Iterator[Made]:
    """The component with one expression in the place of another."""
    for change in source.swap(kind, node, new):
        text = component.source[: change.start] + change.text + component.source[change.end :]
        if place := _place(component, text):
            mark_of = _mark(text, edit(component.source, text)[0])
            yield Made(Change(kind, place, mark_of), text)


def _doubled(component: Component) -> Iterator[Made]:
    """One step done twice: a call on its own result, or an operation with the same right side."""
    source = Source(component.source)
    for node in ast.walk(source.tree):
        twice: ast.expr
        match node:
            case ast.Call(ast.Attribute(value=ast.Name("self" | "F" | "torch" | "math")), [_, *_]):
                twice = ast.Call(node.func, [node, *node.args[1:]], node.keywords)
            case ast.Call(ast.Attribute(value=owner, attr=name)) if not is_module(owner):
                again = ast.Attribute(node, name, ast.Load())
                twice = ast.Call(again, node.args, node.keywords)
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.MatMult()):
                twice = ast.BinOp(node, node.op, node.right)
            case _:
                continue
        yield from _swapped(component, source, "doubled", node, twice)


def _is_of_a_block(mutant: Mutant) -> bool:
    """Whether a whole block is missing or changed places: nobody does that by mistake."""
    return mutant.kind in ("order", "statement") and bool(
        re.match(r"(for|if|while|with|def|class)\b", mutant.old)
    )


def _change(mutant: Mutant, source: str, place: dict[str, str]) -> Change:
    details = dict(place)
    if mutant.kind in ("name", "attribute") and re.fullmatch(r"[\w.]+", mutant.new):
        details["new"] = mutant.new
    if mutant.kind == "default":
        details["new"] = mutant.new
    return Change(mutant.kind, details, _mark(mutant.source, edit(source, mutant.source)[0]))


def _place(component: Component, changed: str) -> dict[str, str]:
    """The blank in which the reference was changed, or else the line, as released.

    Empty where that line is one of a hunt's bugs.
    """
    span, _text = edit(component.source, changed)
    if component.is_bug_hunt:
        start = component.source.rfind("\n", 0, span.start) + 1
        line = component.source[start:].partition("\n")[0]
        return {"line": code_of(line)} if line in component.released.splitlines() else {}
    released = fill(component.source, [(blank.span, MARK) for blank in component.blanks])
    place = span.start  # in `released`, which lacks the comments of the released text
    for blank in component.blanks:
        if blank.span.start <= span.end and span.start <= blank.span.end:
            return {"blank": blank.name}
        if blank.span.end < span.start:
            place += len(MARK) - len(blank.text)
    start = released.rfind("\n", 0, place) + 1
    return {"line": code_of(released[start:].partition("\n")[0])}


def _is_in_blank(component: Component, variant: Variant, mutant: Mutant) -> bool:
    (blank,) = (blank for blank in component.blanks if blank.name == variant.blank)
    span, _text = edit(variant.source, mutant.source)
    end = len(variant.source) - (len(component.source) - blank.span.end)
    return blank.span.start <= span.start and span.end <= end


def right_marks(component: Component) -> dict[str, list[str]]:
    """The marks of the statements that right answers have, by the blank in them."""
    found = {blank.name: {_mark(component.source, blank.span)} for blank in component.blanks}
    for variant in component.right:
        if variant.blank:
            place, _text = edit(component.source, variant.source)
            found[variant.blank].add(_mark(variant.source, place))
    return {blank: sorted(marks - {""}) for blank, marks in found.items()}


def right_statements(component: Component) -> list[str]:
    """The marks of all statements of right answers, each as often as an answer has it at most."""
    most = Counter[str]()
    for source in (component.source, *(variant.source for variant in component.right)):
        most |= Counter(statements(source).values())
    return sorted(most.elements())


def changed_statements(component: Component) -> dict[str, list[list[str]]]:
    """By misconception, for each of its variants, the reference's statements that it does not have.

    They are given by their marks, each as often as the reference has it.
    """
    of_reference = Counter(statements(component.source).values())
    found: dict[str, list[list[str]]] = {}
    for variant in component.wrong:
        changed = of_reference - Counter(statements(variant.source).values())
        marks = [mark for mark in of_reference.elements() if mark in changed]
        found.setdefault(variant.name, []).append(sorted(marks))
    return found


def unused_by_right(component: Component) -> list[str]:
    """The names of what some right answer does not use."""
    sources = (component.source, *(variant.source for variant in component.right))
    return sorted({name for source in sources for name in unused(source)})


def _pairs(component: Component) -> Iterator[Made]:
    """Two misconceptions at once, of different places."""
    source = component.source
    edits = [(variant, *edited_lines(source, variant.source)) for variant in component.wrong]
    apart = [
        (one, other)
        for one, other in combinations(edits, 2)
        if one[0].name != other[0].name
        and (one[1].end < other[1].start or other[1].end < one[1].start)
    ]
    for one, other in _some(apart, MOST_PAIRS, lambda pair: pair[0][0].name + pair[1][0].name):
        details = {"misconception": one[0].name, "other": other[0].name}
        yield Made(Change("both", details), fill(source, [one[1:], other[1:]]))


def inner_mistakes(lesson: Lesson, component: Component) -> list[tuple[str, Variant]]:
    """The misconceptions of the components that this one uses, by their names."""
    return [
        (inner.name, variant)
        for owner in (*lesson.earlier, lesson)
        for inner in owner.components.values()
        if not inner.is_bug_hunt and inner.name != component.name
        if re.search(rf"\b{inner.name}\b", component.source)
        for variant in inner.wrong
    ]


def _inner(lesson: Lesson, component: Component) -> Iterator[Made]:
    """The component, right in itself, with an inner one of its own that shows a misconception."""
    found = inner_mistakes(lesson, component)
    for name, variant in _some(found, MOST_INNER, lambda pair: pair[1].source):
        own = f"_{name}_{variant.name.replace('-', '_')}"  # one run tries many: names differ
        inner, outer = (
            re.sub(rf"\b{name}\b", own, source) for source in (variant.source, component.source)
        )
        change = Change("inner", {"component": name, "misconception": variant.name})
        yield Made(change, f'{inner}\n\n\n{own}.__name__ = "{name}"\n\n\n{outer}')


def edit(source: str, changed: str) -> tuple[Span, str]:
    """The shortest piece of a source that was replaced, and by what."""
    start, most = 0, min(len(source), len(changed))
    while start < most and source[start] == changed[start]:
        start += 1
    end = 0
    while end < most - start and source[-1 - end] == changed[-1 - end]:
        end += 1
    return Span(start, len(source) - end), changed[start : len(changed) - end]


def edited_lines(source: str, changed: str) -> tuple[Span, str]:
    """The lines of a source that were changed, and what they were replaced by."""
    span, _text = edit(source, changed)
    start = source.rfind("\n", 0, span.start) + 1
    end = source.find("\n", span.end)
    end = end if end >= 0 else len(source)
    return Span(start, end), changed[start : len(changed) - (len(source) - end)]


def _mark(source: str, span: Span) -> str:
    """The mark of the innermost statement that begins before a place and ends after it."""
    line = source.count("\n", 0, span.start) + 1
    around = [
        node
        for node in ast.walk(parse(source))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    is_simple = around and not isinstance(around[-1], ast.FunctionDef | ast.ClassDef)
    return mark(around[-1]) if is_simple else ""


def _some(items: Iterable[Item], most: int, key: Callable[[Item], str]) -> list[Item]:
    """At most so many items, chosen by a hash of their keys."""
    chosen = sorted(items, key=lambda item: hashlib.sha256(key(item).encode()).digest())
    return chosen[:most]


def _failed(evidence: dict[str, Sketch | None]) -> dict[str, Sketch]:
    return {case: sketch for case, sketch in evidence.items() if sketch}


def _are_alike(one: dict[str, Sketch], other: dict[str, Sketch]) -> bool:
    return one.keys() == other.keys() and all(
        close(sketch, other[case], 1.0) for case, sketch in one.items()
    )
