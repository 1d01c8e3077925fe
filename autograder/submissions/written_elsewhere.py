"""What a student wrote, but not into the cell that is meant for it: prose, and parts of code.

Editors cut a cell in two, or merge it with the one above, by a key that is pressed by mistake.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from nbformat import NotebookNode

from autograder.language import N_, _
from autograder.lesson.cell_code import parsed
from autograder.lesson.lesson import Lesson

from .notebook_as_submitted import SubmittedCell

MOST_PARTS = 10  # of one answer
ALIKE = 0.7  # a line with so many of the lesson's runs of words is the lesson's, of an earlier day
RUN = 3  # words
SHORTEST_BEGINNING = 12  # characters of a line of the lesson that a student continued

ALSO_WRITTEN = N_("Also written:")
_OUTSIDE = N_("Written outside the cell for answers:")
_IN_LESSON = N_("Written into a cell of the lesson:")
_COMMENT = N_("Written as a comment in code:")

_FENCED = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(.*?)^[ \t]*\1", re.MULTILINE | re.DOTALL)
_LABEL = re.compile(
    r"^\W*(?:question|answer|ans|q|a)?[\s._#]*(\d+)\b", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True)
class Piece:
    """Prose in a submitted cell; all there is in it if `is_whole`.

    `place` is the number of the released cell that it stands in, or half a cell behind that.
    """

    number: int
    place: float
    text: str
    where: str
    is_whole: bool

    @property
    def told(self) -> str:
        return f"{self.where}\n\n{self.text}"

    @property
    def also_written(self) -> str:
        """The text with a heading, which it keeps where a notebook is repaired again."""
        label = _(ALSO_WRITTEN)
        return self.text if label in self.text else f"{label}\n\n{self.text}"


def join_split(
    cells: Sequence[SubmittedCell], released: NotebookNode, lesson: Lesson
) -> tuple[list[SubmittedCell], dict[str, int]]:
    """The cells, with answers joined that were cut into parts; the number of parts of each.

    Neighbors are joined if only together they define a component.
    """
    of_lesson = {cell.get("id", "") for cell in released.cells}
    defines = {component.defines: name for name, component in lesson.components.items()}
    joined, counts, number = list[SubmittedCell](), dict[str, int](), 0
    while number < len(cells):
        whole, size = _longest(cells[number : number + MOST_PARTS], of_lesson)
        names = [defines[name] for name in _defined(whole.source) if name in defines]
        if size > 1 and names:
            counts[names[0]] = size
        else:
            whole, size = cells[number], 1
        joined.append(whole)
        number += size
    return joined, counts


def _longest(cells: Sequence[SubmittedCell], of_lesson: set[str]) -> tuple[SubmittedCell, int]:
    """The first cell with all that follow and belong to it, as far as they are code together."""
    cell = whole = cells[0]
    size = 1
    for number, part in enumerate(cells[1:], 2):
        if not _may_belong(cells[0], part, of_lesson):
            break
        if parsed(cell.source) is not None and _stands_alone(part.source):
            break
        cell = replace(cell if cell.grade_id else part, source=_together(cell.source, part.source))
        if parsed(cell.source) is not None:
            whole, size = cell, number
    return whole, size


def _may_belong(first: SubmittedCell, second: SubmittedCell, of_lesson: set[str]) -> bool:
    """Whether the second may be a part of the first: code, and no other cell of the lesson."""
    if first.kind != "code" or second.kind != "code" or not second.source.strip():
        return False
    if first.grade_id and second.grade_id:
        return first.grade_id == second.grade_id
    return not (first.id in of_lesson and second.id in of_lesson and first.id != second.id)


def _stands_alone(source: str) -> bool:
    lines = [line for line in source.splitlines() if line.strip()]
    is_indented = bool(lines) and lines[0][:1] in " \t"
    tree = parsed(source)
    return not is_indented and tree is not None and not any(
        isinstance(node, ast.Return) for node in tree.body
    )  # fmt: skip


def _together(first: str, second: str) -> str:
    """Both parts, cut between lines or within one."""
    within, between = first + second, f"{first}\n{second}"
    last = first.rpartition("\n")[2]
    is_within = last.isspace() or (parsed(between) is None and parsed(within) is not None)
    return within if is_within else between


def _defined(source: str) -> set[str]:
    tree = parsed(source)
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in tree.body if isinstance(node, definitions)} if tree else set()


def is_reply(source: str, index: int, released: NotebookNode) -> bool:
    """Whether there is more in a cell than the question before it, and the request to answer."""
    around = [cell.source for cell in released.cells[max(0, index - 1) : index + 1]]
    return bool(_lines(source) - _lines(*around))


def code_in(source: str, released: NotebookNode) -> str:
    """What may be code in a cell of prose: what is fenced, or all but the lesson's own lines."""
    fenced = "\n".join(match[2] for match in _FENCED.finditer(source))
    released_lines = _lines(*(cell.source for cell in released.cells if cell.cell_type != "code"))
    lines = (line for line in source.splitlines() if line.strip() not in released_lines)
    return fenced or "\n".join(lines).strip("\n")


def pieces_of(
    cells: Sequence[SubmittedCell], taken: Mapping[int, int], released: NotebookNode
) -> list[Piece]:
    """All prose that a student added or changed: Markdown, and comments in the lesson's code.

    `taken` are the released cells by submitted cell. Answers to questions are not among it.
    """
    pieces, anchor, lesson = list[Piece](), -1, _LessonText(released)
    for number, cell in enumerate(cells):
        index = taken.get(number)
        if index is not None and index >= 0:
            anchor = index
            original = released.cells[index]
            if original.metadata.get("nbgrader", {}).get("solution"):
                continue
        elif index is not None:
            continue
        place = anchor if index is not None else anchor + 0.5
        if cell.kind == "code":
            text = _comments(cell.source, lesson, only=index is None)
            where, is_whole = _(_COMMENT), index is None
        else:
            text = "\n".join(lesson.new_lines(cell.source)).strip()
            where, is_whole = (_(_OUTSIDE), True) if index is None else (_(_IN_LESSON), False)
            text = cell.source if text and is_whole else text
        if text.strip():
            pieces.append(Piece(number, place, text.strip(), where, is_whole))
    return pieces


def nearest(
    pieces: Sequence[Piece], index: int, questions: Mapping[int, str], start: int
) -> list[Piece]:
    """What may answer the question with this released cell, and stands in no place for it.

    What names the question, or else what is nearer to it than to others, or at the end of all; not
    what is before `start`.
    """
    numbers = {name.removeprefix("question_") for name in questions.values()}
    labels = [numbers & set(_LABEL.findall(piece.text)) for piece in pieces]
    question = questions[index].removeprefix("question_")
    if named := [piece for piece, said in zip(pieces, labels, strict=True) if question in said]:
        return named
    free = [piece for piece, said in zip(pieces, labels, strict=True) if not said]
    there = [
        piece
        for piece in free
        if (
            piece.place > start
            and index == min(questions, key=lambda question: abs(question - piece.place))
        )
        or piece.place > max(questions)
    ]
    distance = min((abs(piece.place - index) for piece in there), default=0.0)
    return [piece for piece in there if abs(piece.place - index) == distance]


class _LessonText:
    """The lines of a released notebook, to tell what in a cell is a student's."""

    def __init__(self, released: NotebookNode):
        self.lines = _lines(*(cell.source for cell in released.cells))
        self.runs = {run for line in self.lines for run in _runs(line)}

    def new_lines(self, source: str) -> list[str]:
        """The lines that are not the lesson's; of one that a student continued, what was added.

        Blank lines stay. A long line that differs in a few words is the lesson's, from an earlier
        day.
        """
        new = list[str]()
        for line in source.splitlines():
            if line.strip() in self.lines:
                continue
            begun = max(filter(line.strip().startswith, self.lines), key=len, default="")
            runs = _runs(line)
            if len(begun) >= SHORTEST_BEGINNING:
                new.append(line.strip().removeprefix(begun).strip())
            elif len(runs) < 2 * RUN or len(self.runs & set(runs)) < ALIKE * len(runs):
                new.append(line)
        return new


def _lines(*sources: str) -> set[str]:
    """The lines in which there is anything, without what is around them."""
    return {line.strip() for source in sources for line in source.splitlines()} - {""}


def _runs(line: str) -> list[tuple[str, ...]]:
    words = line.split()
    return [tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]


def _comments(source: str, lesson: _LessonText, only: bool) -> str:
    """Sentences in comments and strings of a cell; with `only`, if there is nothing else in it."""
    tree = parsed(source)
    if tree is None or (only and not all(map(_is_text, tree.body))):
        return ""
    lines = (line.strip() for line in lesson.new_lines(source))
    texts = [line.lstrip("#").strip() for line in lines if line.startswith("#")]
    texts += [ast.literal_eval(node.value) for node in tree.body if _is_text(node)]
    new = (line for text in texts for line in lesson.new_lines(text))
    return "\n".join(line for line in new if not _is_code(line))


def _is_text(node: ast.stmt) -> TypeGuard[ast.Expr]:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _is_code(comment: str) -> bool:
    """Whether a comment is a line of code that was switched off."""
    tree = parsed(comment)
    statements = tree.body if tree else []
    return any(
        not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call) for node in statements
    )
