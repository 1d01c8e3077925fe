"""Scores a translator that was handed in beside a notebook: weights, vocabulary and sizes.

A process in a sandbox (`process.py`) loads them, as data, into the reference's model and translates
held-back sentences. It returns text. Its BLEU, and from it the points, are computed here; a score
that a student claims is ignored.
"""

import hashlib
import os
import tempfile
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from http.client import HTTPException
from pathlib import Path

from autograder.grading.escape import plain
from autograder.grading.model import Attachments, Problem
from autograder.grading.outdir import digest, read_json, write_json
from autograder.grading.texts import text
from autograder.judging.judge import Verdict
from autograder.judging.version import hash_of, surroundings
from autograder.lesson.hand_in import HandIn
from autograder.lesson.lesson import ROOT, Lesson
from transformer_workbook.translation.corpus import NoCorpus, Pair, test_pairs
from transformer_workbook.translation.hand_in import LARGEST

from .runner import Died, OutOfTime, TranslatingFault, TranslatingRunner

SAMPLES = 3  # translations that feedback shows
WHAT_SCORES = {
    ROOT / "autograder": (
        "language.py", "grading/escape.py", "grading/texts.py", "grading/texts.toml",
        "grading/translator/process.py", "grading/translator/runner.py",
        "grading/translator/scorer.py", "lesson/hand_in.py",
        "sandbox/choose.py", "sandbox/view.py",
        *(f"sandbox/student/confinement/{name}.py" for name in (
            "__init__", "bubblewrap", "confine", "linux", "namespaces", "privileges", "processes",
            "root", "seccomp",
        )),
    ),
    ROOT / "course/transformer_workbook": (
        "shared/language.py", "training/number_words.py", *(f"translation/{name}" for name in (
            "batches.py", "hand_in.py", "hardware.py", "subwords.py", "translator.py",
        )),
    ),
    ROOT / "solutions/transformer": (
        "add_and_norm.py", "attention.py", "cached_attention.py", "cached_decoding.py",
        "embeddings.py", "feed_forward.py", "layers.py", "masks.py", "model.py",
        "multi_head_attention.py", "tensor_moves.py",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Files:
    """What was handed in, by name, as hashes; `problem` where a file is missing or unreadable.

    The contents are read again when they are needed: a class's weights are large.
    """

    attachments: Attachments
    hashes: dict[str, str]
    problem: tuple[str, str] = ("", "")  # status and message

    def contents(self) -> dict[str, bytes]:
        """The files' bytes. Raises TranslatingFault if they have changed since `inspect_files`."""
        contents = {}
        for name, known in self.hashes.items():
            try:
                contents[name] = self.attachments[name]()
            except Problem as problem:
                raise TranslatingFault(text("handed_in", "changed", name=name)) from problem
            if _hash(contents[name]) != known:
                raise TranslatingFault(text("handed_in", "changed", name=name))
        return contents


def inspect_files(attachments: Attachments) -> Files:
    """Hash what was handed in. Nothing in it is interpreted."""
    hashes, problem = {}, ("", "")
    missing = [name for name in LARGEST if name not in attachments]
    if missing:
        problem = ("missing", text("handed_in", "missing", names=", ".join(missing)))
    for name in LARGEST:
        try:
            if name in attachments:
                hashes[name] = _hash(attachments[name]())
        except Problem as error:
            reason = error.remark.text
            problem = ("error", text("handed_in", "unreadable", name=name, reason=reason))
    return Files(attachments, hashes, problem)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Scorer:
    """Scores what is handed in for one lesson; remembers every result in `work`, if it is given.

    `limit` are the seconds for one submission, instead of the lesson's own; `pairs` the held-back
    sentences, which are looked for where they are not given.
    """

    def __init__(
        self,
        lesson: Lesson,
        work: Path | None = None,
        sandbox: str = "auto",
        limit: float = 0.0,
        pairs: list[Pair] | None = None,
    ):
        self.lesson, self.work = lesson, work
        self.hand_in: HandIn = lesson.hand_in
        self.seconds = limit or self.hand_in.seconds
        self.runner = TranslatingRunner(self.hand_in, sandbox, self.seconds)
        self._given = pairs

    def key(self, files: Files) -> str:
        """What a result depends on, in one hash."""
        version = "" if files.problem[0] else self._version
        return digest(version, asdict(self.hand_in), files.hashes, files.problem)

    def grade(
        self, files: Files, score: Callable[[dict[str, bytes]], list[Verdict]] | None = None
    ) -> list[Verdict]:
        """A verdict for each test, remembered or new. A fault is tried once more, then raised.

        `score` scores the files' bytes in place of `self.score`. Raises TranslatingFault.
        """
        if files.problem[0]:
            return self._without_points(*files.problem)
        path = self.work / "handed_in" / f"{self.key(files)}.json" if self.work else None
        tree = read_json(path) if path else None
        if tree:
            known = [Verdict(**verdict) for verdict in tree["verdicts"]]
            late = any(verdict.status == "timeout" for verdict in known)
            if not late or tree["limit"] >= self.seconds:
                return known
        score = score or self.score
        try:
            verdicts = score(files.contents())
        except TranslatingFault:
            if self.runner.stopped or not self._pairs[0]:
                raise
            verdicts = score(files.contents())
        if path:
            trees = [asdict(verdict) for verdict in verdicts]
            write_json(path, {"limit": self.seconds, "verdicts": trees})
        return verdicts

    def stop(self) -> None:
        """End what is running: nobody waits for it any more, and it has no result."""
        self.runner.stop()

    @cached_property
    def _version(self) -> str:
        """A hash of all that translates and scores, with the held-back sentences."""
        files = [folder / name for folder, names in WHAT_SCORES.items() for name in names]
        return digest(hash_of(files), surroundings(), self._pairs[0])

    @cached_property
    def _pairs(self) -> tuple[list[Pair], str]:
        """The held-back sentences; or none, and why."""
        if self._given is not None:
            return self._given, ""
        name, folder = self.hand_in.sentences, os.environ.get("MULTI30K_DIR")
        kept = self.work / "multi30k" if self.work else Path(tempfile.mkdtemp())
        try:
            return test_pairs(name, folder, kept), ""
        except (NoCorpus, OSError, ValueError, EOFError, zlib.error, HTTPException) as error:
            return [], str(error)

    @property
    def pairs(self) -> list[Pair]:
        """The held-back sentences. Raises TranslatingFault, which says how to provide them."""
        pairs, reason = self._pairs
        if not pairs:
            name, lesson = self.hand_in.sentences, self.lesson.id
            raise TranslatingFault(
                text("handed_in", "no_sentences", name=name, lesson=lesson, reason=reason)
            )
        return pairs

    def score(self, files: dict[str, bytes]) -> list[Verdict]:
        """A verdict for each test of the files with these bytes. Raises TranslatingFault."""
        pairs, loaded = self.pairs, ""
        try:
            for event in self.runner.events([german for german, _ in pairs], files):
                if "refused" in event:
                    return self._refused(event, loaded)
                if "loaded" in event:
                    counts = {
                        name: int(event["loaded"][name]) for name in ("parameters", "subwords")
                    }
                    loaded = text("handed_in", "loaded", **counts)
                if "translations" in event:
                    return self._scored(_texts(event["translations"], len(pairs)), loaded)
        except OutOfTime:
            details = {"count": len(pairs), "seconds": self.seconds}
            message = text("handed_in", "timeout", **details)
            return self._without_points("timeout", message, loaded)
        except Died as error:
            if self.runner.stopped:
                raise TranslatingFault.because("stopped") from error
            return self._without_points("error", text("handed_in", "died", how=error), loaded)
        raise TranslatingFault.because("it ended without a result")

    def _scored(self, translations: list[str], loaded: str) -> list[Verdict]:
        """The verdicts on a translator that loaded and translated."""
        pairs, hand_in = self.pairs, self.hand_in
        from transformer_workbook.translation.translator import bleu  # draws: slow to import

        result = bleu(translations, [english for _, english in pairs])
        earned = hand_in.earned(result.score)
        lines = [
            text("handed_in", "bleu", score=result.score, signature=result.signature,
                 count=len(pairs), begins=hand_in.begins, begins_with=hand_in.begins_with,
                 full=hand_in.full, points=hand_in.bleu)
        ]  # fmt: skip
        for place in range(0, len(pairs), max(1, -(-len(pairs) // SAMPLES))):
            german, english = pairs[place][0], translations[place][:300]
            lines.append(text("handed_in", "sample", german=german, english=english))
        status = "passed" if earned >= hand_in.bleu else "failed"
        return [
            self._verdict("loads", hand_in.loads, "passed", loaded, hand_in.loads),
            self._verdict("bleu", hand_in.bleu, status, "\n".join(lines), earned),
        ]

    def _refused(self, event: dict, loaded: str) -> list[Verdict]:
        """The verdicts on what the process refused to load or to translate with."""
        status, message = str(event.get("status")), str(event["refused"])[:4000]
        if status == "out_of_memory":
            message = text("handed_in", "out_of_memory")
        elif status not in ("failed", "error"):
            raise TranslatingFault.because("no status")
        return self._without_points(status, message, loaded)

    def _without_points(self, status: str, message: str, loaded: str = "") -> list[Verdict]:
        """Verdicts without points; but if the files were `loaded`, the first test is passed."""
        loads, of_bleu = self.hand_in.tests.items()
        if loaded:
            return [
                self._verdict(*loads, "passed", loaded, loads[1]),
                self._verdict(*of_bleu, status, message),
            ]
        return [
            self._verdict(*loads, status, message),
            self._verdict(*of_bleu, status, text("handed_in", "not_translated")),
        ]

    def _verdict(
        self, test: str, points: float, status: str, message: str, score: float = 0.0
    ) -> Verdict:
        message = plain(message).strip()
        return Verdict(self.hand_in.component, test, score, points, status, "", message)


def _texts(translations: object, count: int) -> list[str]:
    """The translations, if that is what they are. Raises TranslatingFault."""
    if not isinstance(translations, list) or len(translations) != count:
        raise TranslatingFault.because("not as many translations")
    if not all(isinstance(translation, str) for translation in translations):
        raise TranslatingFault.because("a translation is no text")
    # JSON may hold a lone surrogate, which cannot be written as UTF-8.
    return [translation.encode("utf-8", "replace").decode() for translation in translations]
