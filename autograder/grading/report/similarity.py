"""Submissions that are more alike than the lesson makes them.

Code is compared by runs of tokens, prose and comments by runs of words. Runs that the lesson itself
has (the release, the reference, the known answers) count for nothing, nor do those that many
students have: what is left is what two students share and hardly anybody else. This is a reason to
look, and no proof: who helped whom, nobody can tell from it.
"""

import ast
import io
import keyword
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

from autograder.grading.cell_code import parsed
from autograder.grading.outdir import below, digest, read_json, write_json
from autograder.judging.version import version_of
from autograder.lesson.lesson import Lesson

from .answers import Answers

TOKENS, WORDS = 10, 6  # the length of a run
FEWEST = {"code": 24, "prose": 5}  # runs that two have to share, to be worth a look
SHARE = 0.5  # of the runs of the one who has fewer
MOST_SHOWN = 40  # pairs of a lesson

Runs = dict[tuple[str, ...], None]  # in the order of the text, each once


@dataclass(frozen=True)
class Pair:
    """Two students whose code or prose in a lesson is alike beyond what the lesson gives.

    `share` is that of the runs of the one who has fewer; `passage` the longest that both have.
    """

    students: tuple[str, str]
    kind: str
    share: float
    passage: str


def kept_similar(lesson: Lesson, answers: Mapping[str, Answers], work: Path) -> list[Pair]:
    """The same as `similar`; found anew only when an answer of the lesson has changed."""
    path = below(work, "similar", f"{lesson.id}.json")
    key = digest(version_of(lesson), sorted([name, *_texts(one)] for name, one in answers.items()))
    known = read_json(path)
    if known and known["key"] == key:
        return [Pair(tuple(tree.pop("students")), **tree) for tree in known["pairs"]]
    pairs = similar(lesson, answers)
    write_json(path, {"key": key, "pairs": [asdict(pair) for pair in pairs]})
    return pairs


def _texts(answers: Answers) -> list[str]:
    return [*answers.code.values(), *answers.prose.values()]


def similar(lesson: Lesson, answers: Mapping[str, Answers]) -> list[Pair]:
    """Pairs to look at, the most alike first."""
    known_code, known_prose = _of_the_lesson(lesson)
    code = {name: _code_runs(one.code.values(), known_code) for name, one in answers.items()}
    prose = {
        name: _prose_runs([*one.prose.values(), *map(_comments, one.code.values())], known_prose)
        for name, one in answers.items()
    }
    pairs = [*_pairs(code, "code"), *_pairs(prose, "prose")]
    return sorted(pairs, key=lambda pair: (-pair.share, pair.students))[:MOST_SHOWN]


def _pairs(documents: Mapping[str, Runs], kind: str) -> Iterable[Pair]:
    holders: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for student, runs in documents.items():
        for run in runs:
            holders[run].append(student)
    most = max(3, len(documents) // 20)  # more than these share what is in the air
    common = {run for run, students in holders.items() if len(students) > most}
    sizes = {student: len(runs.keys() - common) for student, runs in documents.items()}
    shared: Counter[tuple[str, str]] = Counter()
    for students in holders.values():
        if 1 < len(students) <= most:
            shared.update(combinations(sorted(students), 2))
    for (one, other), count in shared.items():
        share = count / min(sizes[one], sizes[other])
        if count >= FEWEST[kind] and share >= SHARE:
            passage = _passage(documents[one], documents[other].keys() - common)
            yield Pair((one, other), kind, share, passage)


def _passage(runs: Runs, shared: Iterable[tuple[str, ...]]) -> str:
    """The longest passage of a text whose runs are all shared."""
    shared, longest, current = set(shared), list[str](), list[str]()
    previous: tuple[str, ...] = ()
    for run in runs:
        if run not in shared:
            current = []
        elif current and previous[1:] == run[:-1]:
            current = [*current, run[-1]]
        else:
            current = list(run)
        previous = run
        longest = max(longest, current, key=len)
    return " ".join(longest)[:300]


def _of_the_lesson(lesson: Lesson) -> tuple[Runs, Runs]:
    """The runs that the lesson itself has: in code, and in prose."""
    texts = [
        text
        for component in lesson.components.values()
        for text in (
            component.released,
            component.source,
            *(variant.source for variant in (*component.right, *component.wrong)),
        )
    ]
    prose = [cell.source for cell in lesson.narrative] + [_comments(text) for text in texts]
    return _code_runs(texts, {}), _prose_runs(prose, {})


def _code_runs(sources: Iterable[str], known: Runs) -> Runs:
    runs: Runs = {}
    for source in sources:
        tree = parsed(source)
        if tree is not None:
            tokens = re.findall(r"\w+|[^\w\s]+", ast.unparse(_renamed(tree)))
            runs |= dict.fromkeys(zip(*(tokens[start:] for start in range(TOKENS)), strict=False))
    return {run: None for run in runs if run not in known and not _is_plain(run)}


def _renamed(tree: ast.Module) -> ast.Module:
    """The code with all local variables called alike, whatever the student called them."""
    own = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in own:
            node.id = "v"
    return tree


def _is_plain(run: tuple[str, ...]) -> bool:
    """Whether a run of tokens has hardly a word of its own."""
    words = [token for token in run if token.isidentifier() and not keyword.iskeyword(token)]
    return len(set(words)) < 2


def _prose_runs(texts: Iterable[str], known: Runs) -> Runs:
    runs: Runs = {}
    for text in texts:
        words = re.findall(r"\w+", text.casefold())
        runs |= dict.fromkeys(zip(*(words[start:] for start in range(WORDS)), strict=False))
    return {run: None for run in runs if run not in known}


def _comments(source: str) -> str:
    """The comments of code, as a text."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                found.append(token.string.lstrip("# "))
    except (tokenize.TokenError, SyntaxError):
        pass  # what was read so far
    return "\n".join(found)
