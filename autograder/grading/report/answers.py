"""What students wrote, read again from the notebooks in OUT that were graded."""

import ast
import difflib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from autograder.grading.cell_code import parsed
from autograder.grading.model import Graded
from autograder.grading.outdir import below
from autograder.lesson.blanks import MARK
from autograder.lesson.components import Component
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import ANSWER_HERE

MOST_LINES = 6  # of an example


@dataclass(frozen=True)
class Answers:
    """One student's code by component, and prose by question."""

    code: dict[str, str] = field(default_factory=dict)
    prose: dict[str, str] = field(default_factory=dict)


def answers_of(out: Path, results: Iterable[Graded], lesson: Lesson) -> dict[str, Answers]:
    """The answers of those who were graded in a lesson, by student."""
    found = {}
    for result in results:
        names = ("nbgrader", "autograded", result.student, lesson.id, f"{lesson.name}.ipynb")
        try:
            notebook = json.loads(below(out, *names).read_bytes())
        except (OSError, ValueError):
            continue
        answers = Answers()
        for cell in notebook["cells"]:
            marks, source = cell["metadata"].get("nbgrader", {}), "".join(cell["source"])
            name = marks.get("grade_id", "")
            if marks.get("solution") and not marks.get("grade"):
                answers.code[name] = source
            elif marks.get("solution") and source.strip() not in ("", ANSWER_HERE):
                answers.prose[name] = source
        found[result.student] = answers
    return found


def open_blanks(component: Component, source: str) -> set[str]:
    """The blanks of a component that this code leaves open."""
    lines = {line.strip() for line in source.splitlines()}
    return {name for name, line in component.released_lines.items() if line in lines}


def right_blanks(component: Component, source: str) -> set[str]:
    """The blanks of a component that this code fills as the lesson knows to be right."""
    lines = {"".join(line.partition("  #")[0].split()) for line in source.splitlines()}
    right, place, before = set(), 0, ""
    for blank in component.blanks:
        released = component.released_lines[blank.name].partition("  #")[0]
        place = place + 1 if component.released_lines[blank.name] == before else 0
        before = component.released_lines[blank.name]
        around = ["".join(text.split()) for text in released.split(MARK)]
        for text in (blank.text, *blank.right):
            gaps = [".+"] * (len(around) - 1)
            gaps[place] = re.escape("".join(text.split()))
            fits = re.escape(around[0]) + "".join(
                gap + re.escape(after) for gap, after in zip(gaps, around[1:], strict=True)
            )
            if any(re.fullmatch(fits, line) for line in lines):
                right.add(blank.name)
    return right


def example(component: Component, source: str) -> str:
    """The lines of a student's code that are not the reference's, with nothing that tells whose.

    Comments and docstrings are left out, and so are texts that the course does not have.
    """
    tree, reference = parsed(source), parsed(component.source)
    if tree is None or reference is None:
        return ""
    anonymous = ast.unparse(_WithoutTexts(component.source).visit(tree)).splitlines()
    right = ast.unparse(_WithoutTexts(component.source).visit(reference)).splitlines()
    blocks = difflib.SequenceMatcher(None, right, anonymous, autojunk=False).get_opcodes()
    changed = [line for tag, _i, _j, a, b in blocks if tag != "equal" for line in anonymous[a:b]]
    lines = [line for line in changed if line.strip() and MARK not in line]
    shift = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    shown = [line[shift:] for line in lines[:MOST_LINES]]
    return "\n".join(shown + ["…"] * (len(lines) > MOST_LINES))


class _WithoutTexts(ast.NodeTransformer):
    """Hides texts that the course does not have, as they may say who wrote them; and docstrings."""

    def __init__(self, known: str):
        self.known = known

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if isinstance(node.value, str) and node.value not in self.known:
            return ast.Constant("…")
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None
        self.generic_visit(node)
        return node
