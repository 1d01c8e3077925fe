"""Answers that people wrote to the components, and what is misunderstood in each.

They are written as cells, a file COMPONENT.py for each component. The corpus of the tests holds
them by component, in rounds, each as edits of an earlier one; `tests/corpus/README.md` shows how.

    python -m benchmarks.corpus add ROUND FOLDER         put the cells of a folder into the corpus
    python -m benchmarks.corpus show COMPONENT [ROUND]   print answers of the corpus as cells
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from autograder.errors import WrongUsage
from autograder.lesson.course import read_course
from autograder.lesson.lesson import ROOT, Lesson
from benchmarks.line_edits import Unfit, edited, in_full, nearest

CORPUS = ROOT / "tests" / "corpus"
CELL = re.compile(r"^# %% (right|wrong|unseen|open): *([^|\n]+?)(?: *\|(.*))?$", re.MULTILINE)
BASE = "%% base"
HEAD = re.compile(
    r"%% (right|wrong|unseen|open) (\w+/[^|]+?) \| (?:like ([^|]+?)|in full)(?: \| (.*))?"
)


class Answer(NamedTuple):
    """An answer to a component: its name, what is misunderstood in a wrong one, and the cell.

    `kind` is right, wrong, unseen or open.
    """

    kind: str
    name: str
    cause: str
    source: str


def cells(path: Path) -> list[Answer]:
    """The answers that are cells of one file, in its order."""
    text = path.read_text(encoding="utf-8")
    found = list(CELL.finditer(text))
    ends = [mark.start() for mark in found[1:]] + [len(text)]
    return [
        Answer(
            kind=mark[1],
            name=mark[2],
            cause=(mark[3] or "").strip().removeprefix("TRUE CAUSE:").strip(),
            source=text[mark.end() : end].strip("\n"),
        )
        for mark, end in zip(found, ends, strict=True)
    ]


def as_cells(answers: Sequence[Answer]) -> str:
    """Answers as the text of a file of cells."""
    return "".join(
        f"# %% {kind}: {name}{cause and ' | '}{cause}\n{source}\n"
        for kind, name, cause, source in answers
    )


def rounds(path: Path) -> dict[str, list[Answer]]:
    """The answers of one file of the corpus, by round. Raises WrongUsage if it is damaged."""
    found: dict[str, list[Answer]] = {}
    for label, answer in _read(path).items():
        if label != "base":
            found.setdefault(label.partition("/")[0], []).append(answer)
    return found


def corpus(folder: Path = CORPUS) -> dict[tuple[str, str], list[Answer]]:
    """The answers of a corpus by round and component, in the order of these."""
    found = {
        (of_round, path.stem): answers
        for path in folder.glob("*.txt")
        for of_round, answers in rounds(path).items()
    }
    return dict(sorted(found.items()))


_course = cache(read_course)


@cache
def component_of(name: str) -> tuple[Lesson, str]:
    """The lesson and name of a corpus file: LayerNorm, or 03_bug_hunt_1 for one of many hunts."""
    number, _, hunt = name.partition("_")
    for lesson in _course().lessons:
        if name in lesson.components:
            return lesson, name
        if number.isdigit() and lesson.id.startswith(f"{number}-") and hunt in lesson.components:
            return lesson, hunt
    raise WrongUsage(f"the corpus has answers to {name}, which no lesson has")


def add(of_round: str, folder: Path, to: Path = CORPUS) -> int:
    """Put the cells of a folder into a corpus as a round, or into a round; how many they are.

    Docstrings and blank lines are left out. Raises WrongUsage, and writes nothing, if there are
    none, or if the round has one of their names.
    """
    if not re.fullmatch(r"\w+", of_round):
        raise WrongUsage(f"a round is one word, not {of_round!r}")
    new = {path.stem: cells(path) for path in sorted(folder.glob("*.py"))}
    if not any(new.values()):
        raise WrongUsage(f"no file of {folder} is named COMPONENT.py and holds cells")
    texts = {}
    for component, answers in new.items():
        file = to / f"{component}.txt"
        found = _read(file) if file.exists() else {"base": _base_of(component)}
        for answer in answers:
            label = f"{of_round}/{answer.name}"
            if label in found:
                raise WrongUsage(f"the corpus has an answer {label} to {component}")
            found[label] = answer._replace(source=condensed(answer.source))
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        texts[file] = before + _written(found, after=len(found) - len(answers) if before else 0)
    for file, text in texts.items():
        file.write_text(text, encoding="utf-8", newline="\n")
    return sum(map(len, new.values()))


def condensed(source: str) -> str:
    """A source without its docstrings and blank lines; as it is where it cannot be parsed."""
    meaning = _meaning(source)
    if not meaning:
        return source
    in_strings, docstrings = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            in_strings |= {*range(node.lineno, node.end_lineno)}
        if docstring := _docstring(node):
            docstrings |= {*range(docstring.lineno, docstring.end_lineno + 1)}
    kept = "\n".join(
        line
        for number, line in enumerate(source.split("\n"), 1)
        if number not in docstrings and (line.strip() or number in in_strings)
    )
    return kept if _meaning(kept) == meaning else source  # code may share a docstring's line


def _meaning(source: str) -> str:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        if _docstring(node):
            del node.body[0]
    return ast.dump(tree)


def _docstring(node: ast.AST) -> ast.stmt | None:
    """The docstring of a function or class that has more than that."""
    may_have = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    if isinstance(node, may_have) and ast.get_docstring(node, clean=False) is not None:
        return node.body[0] if len(node.body) > 1 else None
    return None


def _base_of(component: str) -> Answer:
    """The reference of today, to which later answers are compared for good."""
    lesson, name = component_of(component)
    return Answer("", "base", "", condensed(lesson.components[name].source))


def _read(path: Path) -> dict[str, Answer]:
    """The base and the answers of a file of the corpus, by ROUND/NAME."""
    found: dict[str, Answer] = {}
    for number, head, edits in _entries(path):
        try:
            label, answer = _entry(head, edits, found)
        except Unfit as error:
            raise WrongUsage(f"{path.name}, line {number}: {error}") from None
        found[label] = answer
    return found


def _entries(path: Path) -> Iterator[tuple[int, str, list[str]]]:
    """The line, the head and the edits of each answer of a file, the base first."""
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("%%")]
    if not starts or starts[0] or lines[0] != BASE:
        raise WrongUsage(f"{path.name} has to begin with {BASE!r}")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start + 1, lines[start], lines[start + 1 : end]


def _entry(head: str, edits: list[str], earlier: dict[str, Answer]) -> tuple[str, Answer]:
    if head == BASE and not earlier:
        return "base", Answer("", "base", "", _in_full(edits))
    found = HEAD.fullmatch(head)
    if not found:
        raise Unfit(f"{head!r} is not '%% KIND ROUND/NAME | like BASE | CAUSE'")
    kind, label, like, cause = found.groups(default="")
    if label in earlier:
        raise Unfit(f"{label} is there already")
    if like and like not in earlier:
        raise Unfit(f"there is no {like!r} before {label}")
    source = "\n".join(edited(earlier[like].source.split("\n"), edits)) if like else _in_full(edits)
    return label, Answer(kind, label.partition("/")[2], cause, source)


def _in_full(edits: list[str]) -> str:
    text = edited([""] * len(edits), edits)
    if in_full(text) != edits:
        raise Unfit("the lines of what is given in full are not numbered from 1")
    return "\n".join(text)


def _written(found: dict[str, Answer], after: int) -> str:
    """The answers after so many as entries, each like the nearest of those before it."""
    labels = [*found]
    texts = [answer.source.split("\n") for answer in found.values()]
    lines = []
    for place in range(after, len(found)):
        label, answer = labels[place], found[labels[place]]
        like, edits = nearest(texts[:place], texts[place])
        base = "in full" if like is None else f"like {labels[like]}"
        head = f"%% {answer.kind} {label} | {base}{answer.cause and ' | '}{answer.cause}"
        lines += [head if place else BASE, *edits]
    return "".join(f"{line}\n" for line in lines)


def main(arguments: Sequence[str]) -> str:
    """What a command says. Raises WrongUsage."""
    match arguments:
        case ["add", of_round, folder]:
            return f"{add(of_round, Path(folder), CORPUS)} answers added to {CORPUS}\n"
        case ["show", component, *of_rounds]:
            file = CORPUS / f"{component}.txt"
            if not file.exists():
                raise WrongUsage(f"there is no {file}")
            found = rounds(file)
            chosen = of_rounds or [*found]
            return "".join(as_cells(found.get(of_round, [])) for of_round in chosen)
    raise WrongUsage(__doc__.partition("    ")[2].replace("\n    ", "\n").strip())


if __name__ == "__main__":
    try:
        print(main(sys.argv[1:]), end="")
    except WrongUsage as error:
        sys.exit(f"corpus: {error}")
