"""Rebuilds a submission from the released notebook.

Only what a student may write is taken from the submission: the answer cells, the answers to
questions, and what the student added, code and prose. Everything else, including all marks for the
grader, comes from the release. Repairs tell what was put right.
"""

import ast
import copy
import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.utils import compute_checksum

from autograder.language import speaking
from autograder.lesson.cell_code import parsed
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import ANSWER_HERE
from autograder.lesson.points import component_of
from autograder.results.remarks import Remark
from autograder.results.safe_names import shown
from autograder.sandbox.job import Cell

from .notebook_as_submitted import NotebookAsSubmitted, SubmittedCell
from .prose import inert
from .written_elsewhere import Piece, code_in, is_reply, join_split, nearest, pieces_of

LIKENESS = 0.6  # from this ratio on, a cell is taken for the answer to a released cell
COMPARED = 20_000  # characters; the time of a comparison grows with their square
EXACTLY_COMPARED = 20  # cells at most


@dataclass(frozen=True)
class Rebuilt:
    """The rebuilt notebook, the cells that are to be run, and the repairs.

    `version` is the one of the course that the submitted notebook was made with, where it says so.
    """

    notebook: NotebookNode
    cells: list[Cell]
    repairs: list[Remark]
    version: str = ""

    @property
    def language(self) -> str:
        """The language of the notebook; empty for English."""
        tag: str = self.notebook.metadata.get("workbook", {}).get("language", "")
        return tag


def rebuild(lesson: Lesson, released: NotebookNode, submitted: NotebookAsSubmitted) -> Rebuilt:
    """Rebuild `submitted` from `released`, the student's notebook of `lesson`, in its language."""
    with speaking(released.metadata["workbook"].get("language", "")):
        return _Rebuild(lesson, released, submitted).result()


class _Rebuild:
    def __init__(self, lesson: Lesson, released: NotebookNode, submitted: NotebookAsSubmitted):
        self.lesson, self.released, self.submitted = lesson, released, submitted
        self.cells, split = join_split(submitted.cells, released, lesson)
        self.repairs = [
            Remark("repair", "answer_split", {"component": name, "count": count})
            for name, count in split.items()
        ]
        self._defined: dict[int, set[str]] = {}  # by submitted cell: parsing takes long
        self.taken: dict[int, int] = {}  # submitted cell -> released cell; a copy of one -> -1
        self.answer_of: dict[int, int] = {}  # released cell -> submitted cell that holds its answer
        self.text_of: dict[int, str] = {}  # the same, where an answer is not just one whole cell
        self.left_over: list[Piece] = []  # prose that answers no question
        self.added: set[int] = set()
        self.kinds = [_kind_of(cell, lesson) for cell in released.cells]
        self.by_grade_id = {
            cell.metadata.nbgrader.grade_id: index
            for index, cell in enumerate(released.cells)
            if "nbgrader" in cell.metadata
        }
        self.by_id = {cell.get("id", ""): index for index, cell in enumerate(released.cells)}

    def result(self) -> Rebuilt:
        self._check_notebook()
        self._match_by_metadata()
        self._match_text()
        self._choose_answers()
        self._find_lost_answers()
        self._find_added()
        self._choose_replies()
        self._check_tests()
        return self._rebuild()

    def _say(self, key: str, **details: object) -> None:
        remark = Remark("repair", key, details)
        if remark not in self.repairs:
            self.repairs.append(remark)

    def _check_notebook(self) -> None:
        kernel = self.submitted.kernel
        if kernel not in ("", self.released.metadata.kernelspec.name):
            self._say("kernel", kernel=kernel)
        if self.submitted.format < 4:
            self._say("unnumbered")
        if self.submitted.lesson not in ("", self.lesson.id):
            self._say("another_lesson", found=self.submitted.lesson, expected=self.lesson.id)

    def _match_by_metadata(self) -> None:
        """Match cells by grade_id, then by cell id. Several may match one cell of the release."""
        for number, cell in enumerate(self.cells):
            index = self.by_grade_id.get(cell.grade_id)
            if index is None and cell.grade_id:
                claims = cell.metadata.get("grade") is True or cell.metadata.get("solution") is True
                if claims:
                    self._say("graded_cell", cell=shown(cell.grade_id)[:60])
            if index is None and cell.id:
                index = self.by_id.get(cell.id)
            if index is not None:
                self.taken[number] = index
                self._check_metadata(cell, index)

    def _check_metadata(self, cell: SubmittedCell, index: int) -> None:
        original = self.released.cells[index]
        mine = original.metadata.get("nbgrader", {})
        if not mine or not cell.grade_id:
            return
        watched = ("grade", "solution", "locked", "task")
        changed = any(cell.metadata.get(key) != mine.get(key) for key in watched)
        # Other points are no sign of a student's hand: the instructor may have changed them since
        # the notebook was given out. Those of the original count in any case.
        as_given_out = copy.deepcopy(original)
        if "points" in mine and isinstance(cell.metadata.get("points"), int | float):
            as_given_out.metadata.nbgrader["points"] = cell.metadata["points"]
        checksum = cell.metadata.get("checksum")
        # Notebooks that nbgrader released have checksums; the course's own have none.
        if changed or (checksum is not None and checksum != compute_checksum(as_given_out)):
            self._say("points", cell=mine.grade_id)

    def _match_text(self) -> None:
        """Match cells without metadata by the released text."""
        waiting: dict[str, list[int]] = {}
        for index, cell in enumerate(self.released.cells):
            # All places for answers in prose have one text; these are told apart by their place.
            if index not in self.taken.values() and self.kinds[index] != "question":
                waiting.setdefault(_normalized(cell.source), []).append(index)
        for number, cell in enumerate(self.cells):
            if number not in self.taken and waiting.get(_normalized(cell.source)):
                self.taken[number] = waiting[_normalized(cell.source)].pop(0)
        places = {to: number for number, to in self.taken.items()}
        for index, _name in self._released_cells("question"):
            number = places.get(index - 1, len(self.cells)) + 1
            if index in places or number in self.taken or number >= len(self.cells):
                continue
            placeholder = self.released.cells[index].source
            if _normalized(self.cells[number].source) == _normalized(placeholder):
                self.taken[number] = index

    def _choose_answers(self) -> None:
        for index, name in self._released_cells("answer"):
            numbers = [number for number, to in self.taken.items() if to == index]
            if not numbers:
                continue
            released = self.released.cells[index].source
            numbers.sort(key=lambda number: self._rank(number, name, released))
            best = numbers[-1]
            self.answer_of[index] = best
            if len(numbers) > 1:
                self._say("answer_twice", component=name, count=len(numbers))
                for number in numbers[:-1]:
                    # A copied cell keeps its mark even if the student wrote other code in it.
                    del self.taken[number]
                    if not self._defines(number, name):
                        self.added.add(number)
                    self.taken[number] = -1
            cell = self.cells[best]
            if not self._defines(best, name) and (code := self._among_prose(best, name)):
                self.text_of[index] = code
            if cell.kind != "code":
                self._say("answer_kind", component=name)
            if not cell.grade_id and cell.id and self.by_id.get(cell.id) == index:
                self._say("answer_by_id", component=name)

    def _rank(self, number: int, name: str, released: str) -> tuple[Any, ...]:
        cell = self.cells[number]
        changed = bool(cell.source.strip()) and _normalized(cell.source) != _normalized(released)
        return changed and self._defines(number, name), changed, number

    def _defines(self, number: int, name: str) -> bool:
        if number not in self._defined:
            self._defined[number] = defined_in(self.cells[number].source)
        return self.lesson.components[name].defines in self._defined[number]

    def _find_lost_answers(self) -> None:
        """Find answers without metadata by what they define, by likeness, by position."""
        for index, name in self._released_cells("answer"):
            if index in self.answer_of:
                continue
            free = [
                number
                for number, cell in enumerate(self.cells)
                if number not in self.taken and cell.kind == "code" and cell.source.strip()
            ]
            number, how = self._by_content(index, name, free)
            if how != "answer_by_content" and self._take_from_prose(index, name):
                continue
            if number is None and (numbers := self._in_others(name)):
                self.answer_of[index] = numbers[-1]
                self._say("answer_in_another", component=name)
                continue
            if number is None:
                how = "answer_lost" if self._is_behind_cut(index) else "answer_missing"
                self._say(how, component=name)
                continue
            self.taken[number] = index
            self.answer_of[index] = number
            self._say(how, component=name)

    def _take_from_prose(self, index: int, name: str) -> bool:
        """Take the answer out of a cell of prose that it was merged into, if there is one."""
        for number, cell in enumerate(self.cells):
            if cell.kind != "code" and (code := self._among_prose(number, name)):
                self.text_of[index] = code
                self.cells[number] = replace(cell, source=cell.source.replace(code, ""))
                self._say("answer_in_prose", component=name)
                return True
        return False

    def _among_prose(self, number: int, name: str) -> str:
        """The code in a cell of prose and code, if it defines the component."""
        code = code_in(self.cells[number].source, self.released)
        defines = self.lesson.components[name].defines
        return code if parsed(code) is not None and defines in defined_in(code) else ""

    def _is_behind_cut(self, index: int) -> bool:
        """Whether the released cell comes after all that a file, cut off, still has."""
        return self.submitted.is_cut and index > max(self.taken.values(), default=-1)

    def _in_others(self, name: str) -> list[int]:
        """Cells of other answers that define this one too."""
        return [number for number in self.answer_of.values() if self._defines(number, name)]

    def _by_content(self, index: int, name: str, free: list[int]) -> tuple[int | None, str]:
        defining = [number for number in free if self._defines(number, name)]
        released = self.released.cells[index].source
        if defining:
            best = max(defining, key=lambda number: self._rank(number, name, released))
            return best, "answer_by_content"
        most = self._most_alike(released, free)
        if most is not None:
            return most, "answer_by_likeness"
        between = self._between(index, free)
        if len(between) == 1:
            return between[0], "answer_by_position"
        return None, ""

    def _most_alike(self, released: str, free: list[int]) -> int | None:
        """The free cell that is most like the released one, if its ratio is over LIKENESS."""
        limits = [(_likeness_bound(self.cells[number].source, released), number) for number in free]
        best = (LIKENESS, -1)
        # The exact ratio takes long, and a malicious notebook has thousands of cells.
        for limit, number in sorted(limits, reverse=True)[:EXACTLY_COMPARED]:
            if limit < best[0]:
                break
            best = max(best, (likeness(self.cells[number].source, released), number))
        return best[1] if best[1] >= 0 else None

    def _between(self, index: int, free: list[int]) -> list[int]:
        """Free cells that stand between the neighbors of the released cell."""
        places = {to: number for number, to in self.taken.items() if to >= 0}
        before = places.get(index - 1, -1 if index == 0 else None)
        after = places.get(
            index + 1, len(self.cells) if index + 1 == len(self.released.cells) else None
        )
        if before is None or after is None:
            return []
        return [number for number in free if before < number < after]

    def _choose_replies(self) -> None:
        pieces = pieces_of(self.cells, self.taken, self.released)
        self.added -= {piece.number for piece in pieces}  # comments alone: nothing is run
        beside = {piece.number: piece for piece in pieces if piece.is_whole}
        questions = dict(self._released_cells("question"))
        for index, name in questions.items():
            numbers = [number for number, to in self.taken.items() if to == index]
            question = name.removeprefix("question_")
            if len(numbers) > 1:
                self._say("reply_twice", question=question, count=len(numbers))
            above = numbers or [number for number, to in self.taken.items() if to == index - 1]
            texts = [
                self.cells[number].source
                for number in numbers
                if is_reply(self.cells[number].source, index, self.released)
            ]
            number = max(above, default=len(self.cells)) + 1
            while number in beside:
                piece = beside.pop(number)
                pieces.remove(piece)
                texts.append(piece.text)
                self._say("reply_below", question=question)
                number += 1
            if texts:
                self.text_of[index] = "\n\n".join(dict.fromkeys(texts))
        self._reply_from_elsewhere(pieces, questions)

    def _reply_from_elsewhere(self, pieces: list[Piece], questions: dict[int, str]) -> None:
        """Put what stands nearest into the place of each answer that is not there."""
        used = list[Piece]()
        for index, name in questions.items():
            graded = [at for at in range(index) if self.kinds[at] in ("answer", "test")]
            near = nearest(pieces, index, questions, max(graded, default=-1))
            if index in self.text_of:
                continue
            if near:
                self.text_of[index] = "\n\n".join(piece.told for piece in near)
                self._say("reply_elsewhere", question=name.removeprefix("question_"))
                used += near
            elif index not in self.taken.values():
                how = "reply_lost" if self._is_behind_cut(index) else "reply_missing"
                self._say(how, question=name.removeprefix("question_"))
        self.left_over = [piece for piece in pieces if piece not in used]

    def _find_added(self) -> None:
        """Code cells that match nothing in the release."""
        for number, cell in enumerate(self.cells):
            if number not in self.taken and cell.kind == "code" and cell.source.strip():
                self.added.add(number)

    def _check_tests(self) -> None:
        for index, name in self._released_cells("test"):
            component = component_of(name)
            numbers = [number for number, to in self.taken.items() if to == index]
            if not numbers:
                self._say("test_missing", component=component)
                continue
            if len(numbers) > 1:
                self._say("test_twice", component=component, count=len(numbers))
            original = _normalized(self.released.cells[index].source)
            edited = any(_normalized(self.cells[number].source) != original for number in numbers)
            # Students may edit the cell that writes the files to hand in.
            if edited and component in self.lesson.components:
                self._say("test_edited", component=component)

    def _released_cells(self, kind: str) -> Iterable[tuple[int, str]]:
        """The number and grade_id of each released cell of a kind."""
        for index, cell in enumerate(self.released.cells):
            if self.kinds[index] == kind:
                yield index, cell.metadata.nbgrader.grade_id

    def _rebuild(self) -> Rebuilt:
        notebook = copy.deepcopy(self.released)
        answers = {index: self.cells[number].source for index, number in self.answer_of.items()}
        for index, source in (answers | self.text_of).items():
            question = self.kinds[index] == "question"
            notebook.cells[index].source = inert(source) if question else source
        for cell, kind, released in zip(
            notebook.cells, self.kinds, self.released.cells, strict=True
        ):
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
            elif kind == "question" and cell.source == released.source:
                cell.source = ANSWER_HERE  # as the gradebook has it, whatever the language
        insertions = self._insertions()
        prose: dict[int, list[str]] = {}
        for piece in self.left_over:
            prose.setdefault(int(piece.place), []).append(piece.also_written)
        cells, run, count, written = [], [], 0, 0
        for index in range(-1, len(notebook.cells)):
            if index >= 0:
                cells.append(notebook.cells[index])
                if self.kinds[index] == "answer":
                    name = cells[-1].metadata.nbgrader.grade_id
                    run.append(Cell(name, "answer", cells[-1].source))
            for source in insertions.get(index, []):
                count += 1
                name = f"added-{count}"
                cells.append(new_code_cell(source, id=name))
                run.append(Cell(name, "added", source))
            if texts := prose.get(index):
                written += 1
                cell = new_markdown_cell(inert("\n\n".join(texts)), id=f"written-{written}")
                cell.metadata["workbook"] = {"written": True}
                cells.append(cell)
        notebook.cells = cells
        return Rebuilt(notebook, run, self.repairs, self.submitted.version)

    def _insertions(self) -> dict[int, list[str]]:
        """What the student added, by the number of the released cell before it."""
        added: dict[int, list[str]] = {}
        anchor = -1
        for number, cell in enumerate(self.cells):
            index = self.taken.get(number, -1)
            if index >= 0:
                anchor = index
            source = ""
            if number in self.added:
                source = cell.source
            elif index >= 0 and self.kinds[index] == "code":
                source = new_definitions(cell.source, self.released.cells[index].source)
                if source:
                    self._say("edited", cell=index + 1)
            if source:
                added.setdefault(anchor, []).append(source)
        return added


def _kind_of(cell: NotebookNode, lesson: Lesson) -> str:
    """answer, test, question, or the cell's type for all that is not graded."""
    metadata = cell.metadata.get("nbgrader", {})
    if metadata.get("grade") and metadata.get("solution"):
        return "question"
    if metadata.get("grade"):
        return "test"
    if metadata.get("solution") and metadata.get("grade_id") in lesson.components:
        return "answer"
    return str(cell.cell_type)


def _normalized(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def _likeness_bound(source: str, released: str) -> float:
    """An upper bound of the likeness, computed quickly."""
    if not source or max(len(source), len(released)) > COMPARED:
        return 0.0
    matcher = difflib.SequenceMatcher(None, source, released, autojunk=False)
    return min(matcher.real_quick_ratio(), matcher.quick_ratio())


def likeness(source: str, released: str) -> float:
    """How alike two sources are, from 0 to 1."""
    return difflib.SequenceMatcher(None, source, released, autojunk=False).ratio()


def defined_in(source: str) -> set[str]:
    """The functions, classes and variables that code defines at its top level."""
    tree = parsed(source)
    if tree is None:
        # Code that cannot be parsed is still recognized by its definitions.
        return set(re.findall(r"^(?:async\s+)?(?:def|class)\s+(\w+)", source, re.MULTILINE))
    names = set()
    for node in tree.body:
        names |= _names(node)
    return names


def _names(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Assign():
            return set().union(*map(_assigned, node.targets))
        case ast.AnnAssign():
            return _assigned(node.target)
        case ast.Import() | ast.ImportFrom():
            return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return set()


def _assigned(target: ast.expr) -> set[str]:
    """The names that an assignment to this target defines."""
    match target:
        case ast.Name():
            return {target.id}
        case ast.Tuple() | ast.List():
            return set().union(*map(_assigned, target.elts))
        case ast.Starred():
            return _assigned(target.value)
    return set()


def new_definitions(source: str, released: str) -> str:
    """The top-level statements of `source` that define something and are not in `released`.

    Students put imports and helpers into the lesson's own cells, too.
    """
    if _normalized(source) == _normalized(released):
        return ""
    tree, original = parsed(source), parsed(released)
    if tree is None or original is None:
        return ""
    names = {name for node in original.body for name in _names(node)}
    kept = [node for node in tree.body if _names(node) - names]
    return "\n".join(ast.unparse(node) for node in kept)
