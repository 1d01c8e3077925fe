"""Answers in prose that two students share, and neither the lesson has nor others of the class.

It is a reason to look, and no proof: it does not tell who helped whom. Code is not compared: of
filled blanks, all right answers are alike.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path

from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import ANSWER_HERE
from autograder.results.safe_names import below
from autograder.results.submission import SubmissionResult

RUN = 6  # words in a row
FEWEST = 5  # runs that two students must share, to be worth a look
SHARE = 0.5  # of the runs of the student with fewer
MOST_WORDS = 2_000  # of one student that are compared
MOST_SHOWN = 40  # pairs of a lesson

Run = tuple[str, ...]


@dataclass(frozen=True)
class SimilarPair:
    """Two students whose prose is more similar than the lesson makes it.

    `share` is the share of common runs, of the runs of the student with fewer; `passage` is the
    longest that both have.
    """

    students: tuple[str, str]
    share: float
    passage: str


def read_prose(
    out: Path, results: Iterable[SubmissionResult], lesson: Lesson
) -> dict[str, list[str]]:
    """The answers in prose to a lesson, by student, of those who were graded."""
    prose = {}
    for result in results:
        names = ("nbgrader", "autograded", result.student, lesson.id, f"{lesson.name}.ipynb")
        try:
            cells = json.loads(below(out, *names).read_bytes())["cells"]
        except (OSError, ValueError):
            continue
        marks = [cell["metadata"].get("nbgrader", {}) for cell in cells]
        texts = ["".join(cell["source"]) for cell in cells]
        prose[result.student] = [
            text
            for mark, text in zip(marks, texts, strict=True)
            if mark.get("solution") and mark.get("grade") and text.strip() != ANSWER_HERE
        ]
    return prose


def similar(lesson: Lesson, prose: Mapping[str, list[str]]) -> list[SimilarPair]:
    """Pairs to look at, the most similar first."""
    words = {student: _words(texts)[:MOST_WORDS] for student, texts in prose.items()}
    of_lesson = _runs(_words(cell.source for cell in lesson.narrative))
    runs = {student: _runs(its_words) - of_lesson for student, its_words in words.items()}
    holders: dict[Run, list[str]] = defaultdict(list)
    for student in sorted(runs):
        for run in runs[student]:
            holders[run].append(student)
    most = max(3, len(prose) // 20)  # a run that more students have is common knowledge
    holders = {run: students for run, students in holders.items() if len(students) <= most}
    sizes = Counter(student for students in holders.values() for student in students)
    shared = Counter(pair for students in holders.values() for pair in combinations(students, 2))
    pairs = [
        SimilarPair((first, second), count / min(sizes[first], sizes[second]), "")
        for (first, second), count in shared.items()
        if count >= max(FEWEST, SHARE * min(sizes[first], sizes[second]))
    ]
    pairs.sort(key=lambda pair: (-pair.share, pair.students))
    return [
        SimilarPair(pair.students, pair.share, _passage(*(words[name] for name in pair.students)))
        for pair in pairs[:MOST_SHOWN]
    ]


def _passage(first: list[str], second: list[str]) -> str:
    """The longest passage that both texts have."""
    match = SequenceMatcher(None, first, second, autojunk=False).find_longest_match()
    return " ".join(first[match.a : match.a + match.size])[:300]


def _runs(words: list[str]) -> set[Run]:
    return set(zip(*(words[start:] for start in range(RUN)), strict=False))


def _words(texts: Iterable[str]) -> list[str]:
    # The grader has rendered the answers: they are HTML.
    return re.findall(r"\w+", re.sub(r"<[^>]*>", " ", " ".join(texts)).casefold())
