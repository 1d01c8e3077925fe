"""Submissions that are more similar than the lesson makes them.

Code is compared by runs of tokens, prose and comments by runs of words. Runs that the lesson itself
has (the release, the reference, the known answers) do not count, nor do those that many students
have. The rest is shared by two students and hardly any others. It is a reason to look, and no
proof: it does not tell who helped whom.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

from autograder.judging.version import version_of
from autograder.lesson.lesson import Lesson
from autograder.results.outdir import below, digest, read_json, write_json

from .code_review import comments, is_plain, tokens, words
from .students_code import StudentAnswers, answer_tokens

TOKEN_RUN, WORD_RUN = 10, 6  # the length of a run
FEWEST = {"code": 24, "prose": 5}  # runs that two students must share, to be worth a look
SHARE = 0.5  # of the runs of the student with fewer
MOST_SHOWN = 40  # pairs of a lesson

Runs = dict[tuple[str, ...], None]  # in the order of the text, each once


@dataclass(frozen=True)
class SimilarPair:
    """Two students whose code or prose is more similar than the lesson makes it.

    `share` is the share of common runs, of the runs of the student with fewer; `passage` is the
    longest that both have.
    """

    students: tuple[str, str]
    kind: str
    share: float
    passage: str


@dataclass(frozen=True)
class Similar:
    """The pairs of a lesson to look at, and the students who could not be compared."""

    pairs: list[SimilarPair]
    left_out: list[str]


def cached_similar(lesson: Lesson, answers: Mapping[str, StudentAnswers], work: Path) -> Similar:
    """The same as `similar`; computed again only if an answer to the lesson has changed."""
    path = below(work, "similar", f"{lesson.id}.json")
    key = digest(version_of(lesson), sorted([name, *_texts(one)] for name, one in answers.items()))
    saved = read_json(path)
    if saved and saved["key"] == key:
        pairs = [SimilarPair(tuple(tree.pop("students")), **tree) for tree in saved["pairs"]]
        return Similar(pairs, saved.get("left_out", []))
    result = similar(lesson, answers)
    write_json(path, {"key": key} | asdict(result))
    return result


def _texts(answers: StudentAnswers) -> list[str]:
    return [*answers.code.values(), *answers.prose.values()]


def similar(lesson: Lesson, answers: Mapping[str, StudentAnswers]) -> Similar:
    """Pairs to look at, the most similar first."""
    # Of one answer there are no pairs, and the lesson's own code takes a moment.
    lesson_code, lesson_prose = _lesson_runs(lesson) if len(answers) > 1 else ({}, {})
    code, prose, left_out = dict[str, Runs](), dict[str, Runs](), []
    for name, its_answers in answers.items():
        texts = answer_tokens(its_answers)
        if texts is None:
            left_out.append(name)
            continue
        code[name] = _code_runs(texts["code"], lesson_code)
        prose[name] = _prose_runs(texts["prose"], lesson_prose)
    pairs = sorted(
        [*_pairs(code, "code"), *_pairs(prose, "prose")],
        key=lambda pair: (-pair.share, pair.students),
    )
    return Similar(pairs[:MOST_SHOWN], left_out)


def _pairs(documents: Mapping[str, Runs], kind: str) -> Iterable[SimilarPair]:
    holders: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for student, runs in documents.items():
        for run in runs:
            holders[run].append(student)
    most = max(3, len(documents) // 20)  # a run that more students have is common knowledge
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
            yield SimilarPair((one, other), kind, share, passage)


def _passage(runs: Runs, shared: Iterable[tuple[str, ...]]) -> str:
    """The longest passage of a text whose runs are all shared."""
    shared, all_runs = set(shared), list(runs)
    start, longest = -1, (0, 0)  # its length, and where it begins
    for place, run in enumerate(all_runs):
        if run not in shared:
            start = -1
            continue
        if start < 0 or all_runs[place - 1][1:] != run[:-1]:
            start = place
        longest = max(longest, (place - start + 1, -start))
    length, start = longest[0], -longest[1]
    passage = [*all_runs[start], *(run[-1] for run in all_runs[start + 1 : start + length])]
    return " ".join(passage)[:300]


def _lesson_runs(lesson: Lesson) -> tuple[Runs, Runs]:
    """The runs that the lesson itself has: in code, and in prose."""
    texts = [
        text
        for component in lesson.components.values()
        for text in (
            component.released,
            component.source,
            *(answer.source for answer in (*component.right, *component.wrong)),
        )
    ]
    prose = [cell.source for cell in lesson.narrative] + [comments(text) for text in texts]
    # A student's code that cannot be parsed is compared unchanged; so add the lesson's unchanged.
    code = [*map(tokens, texts), *(tokens(f"{text}\n)") for text in texts)]
    return _code_runs(code, {}), _prose_runs(map(words, prose), {})


def _code_runs(texts: Iterable[Sequence[str]], excluded: Runs) -> Runs:
    runs = _runs(texts, TOKEN_RUN)
    return {run: None for run in runs if run not in excluded and not is_plain(run)}


def _prose_runs(texts: Iterable[Sequence[str]], excluded: Runs) -> Runs:
    return {run: None for run in _runs(texts, WORD_RUN) if run not in excluded}


def _runs(texts: Iterable[Sequence[str]], length: int) -> Runs:
    runs: Runs = {}
    for text in texts:
        runs |= dict.fromkeys(zip(*(text[start:] for start in range(length)), strict=False))
    return runs
