"""Scores a translator that was handed in beside a notebook: weights, vocabulary and sizes.

A process in a sandbox loads them, as data, into the reference's model and translates held-back
sentences (`process.py`). What it returns is text; the BLEU of that, and the points,
are found here. A score that a student claims is never looked at.
"""

import contextlib
import hashlib
import json
import os
import selectors
import site
import subprocess
import sys
import sysconfig
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from http.client import HTTPException
from pathlib import Path

from autograder.grading.escape import plain
from autograder.grading.model import Problem
from autograder.grading.outdir import digest, read_json, write_json
from autograder.grading.texts import text
from autograder.judging.judge import Verdict
from autograder.judging.version import hash_of, surroundings
from autograder.lesson.hand_in import HandIn
from autograder.lesson.lesson import ROOT, Lesson
from autograder.sandbox.choose import choose
from autograder.sandbox.student.confine import Confinement
from autograder.sandbox.student.processes import describe_end
from autograder.sandbox.student.root import WORK
from autograder.sandbox.view import plan_view
from transformer_workbook.translation.corpus import NoCorpus, Pair, test_pairs
from transformer_workbook.translation.hand_in import LARGEST
from transformer_workbook.translation.translator import bleu

MEMORY = 3 << 30  # bytes that the process may take on top of Python and torch
MOST_SAID = 16 << 20  # bytes
PATIENCE = 120.0  # seconds; a busy machine may take long to import torch
SAMPLES = 3
WHAT_SCORES = {
    ROOT / "autograder": (
        "grading/escape.py", "grading/texts.py", "grading/texts.toml",
        "grading/translator/process.py", "grading/translator/scorer.py", "lesson/hand_in.py",
        "sandbox/choose.py", "sandbox/view.py", *(f"sandbox/student/{name}.py" for name in (
            "bubblewrap", "confine", "linux", "namespaces", "privileges", "processes", "root",
            "seccomp",
        )),
    ),
    ROOT / "course/transformer_workbook": (
        "training/number_words.py", *(f"translation/{name}" for name in (
            "batches.py", "hand_in.py", "hardware.py", "subwords.py", "texts.py", "texts.toml",
            "translator.py",
        )),
    ),
    ROOT / "solutions/transformer": (
        "add_and_norm.py", "attention.py", "cached_attention.py", "cached_decoding.py",
        "embeddings.py", "feed_forward.py", "layers.py", "masks.py", "model.py",
        "multi_head_attention.py", "tensor_moves.py",
    ),
}  # fmt: skip
Beside = dict[str, Callable[[], bytes]]  # of a Submission
Score = Callable[[dict[str, bytes]], list[Verdict]]


class TranslatingFault(Exception):
    """The grader failed, not the student: nothing can be said about what was handed in."""


@dataclass(frozen=True)
class Files:
    """What was handed in, by name, as hashes; `problem` where a file is missing or cannot be read.

    The contents are read again when they are needed: a class's weights are large.
    """

    beside: Beside
    hashes: dict[str, str]
    problem: tuple[str, str] = ("", "")  # status and message

    def contents(self) -> dict[str, bytes]:
        """The files' bytes. Raises TranslatingFault if they are not those seen before."""
        found = {}
        for name, known in self.hashes.items():
            try:
                found[name] = self.beside[name]()
            except Problem as problem:
                raise TranslatingFault(text("handed_in", "changed", name=name)) from problem
            if _hash(found[name]) != known:
                raise TranslatingFault(text("handed_in", "changed", name=name))
        return found


def look(beside: Beside) -> Files:
    """Find out what was handed in. Nothing in it is interpreted."""
    hashes, problem = {}, ("", "")
    missing = [name for name in LARGEST if name not in beside]
    if missing:
        names = ", ".join(missing)
        problem = ("missing", text("handed_in", "missing", names=names))
    for name in LARGEST:
        try:
            if name in beside:
                hashes[name] = _hash(beside[name]())
        except Problem as error:
            said = text("handed_in", "unreadable", name=name, reason=error.remark.text)
            problem = ("error", said)
    return Files(beside, hashes, problem)


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
        self._sandbox = sandbox
        self._given = pairs
        self._running: set[subprocess.Popen] = set()
        self._stopped = False

    def key(self, files: Files) -> str:
        """What a result depends on, in one hash."""
        version = "" if files.problem[0] else self._version
        return digest(version, asdict(self.hand_in), files.hashes, files.problem)

    def grade(self, files: Files, score: Score | None = None) -> list[Verdict]:
        """A verdict for each test, remembered or new. A fault is tried once more, then raised.

        `score` is what scores the files' bytes, instead of `self.score`.
        """
        if files.problem[0]:
            return self._all(*files.problem)
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
            if self._stopped or not self._pairs[0]:
                raise
            verdicts = score(files.contents())
        if path:
            found = [asdict(verdict) for verdict in verdicts]
            write_json(path, {"limit": self.seconds, "verdicts": found})
        return verdicts

    def stop(self) -> None:
        """End what is running: nobody waits for it any more, and it has no result."""
        self._stopped = True
        for process in list(self._running):
            process.terminate()

    @cached_property
    def _version(self) -> str:
        """A hash of all that translates and scores, the held-back sentences among it."""
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
            said = text("handed_in", "no_sentences", name=name, lesson=lesson, reason=reason)
            raise TranslatingFault(said)
        return pairs

    def _all(self, status: str, message: str, loaded: str = "") -> list[Verdict]:
        """Verdicts that earn nothing, but for `loads` if there is something to say of it."""
        loads, of_bleu = self.hand_in.tests.items()
        later = text("handed_in", "not_translated")
        return [
            self._verdict(*loads, "passed", loaded, loads[1])
            if loaded
            else self._verdict(*loads, status, message),
            self._verdict(*of_bleu, status, message if loaded else later),
        ]

    def _verdict(self, test: str, points: float, status: str, message: str, score: float = 0.0):
        return Verdict(
            self.hand_in.component, test, score, points, status, "", plain(message).strip()
        )

    def score(self, files: dict[str, bytes]) -> list[Verdict]:
        """A verdict for each test of the files with these bytes. Raises TranslatingFault."""
        pairs, loaded = self.pairs, ""
        try:
            for said in self._translated([german for german, _ in pairs], files):
                if "refused" in said:
                    status = str(said.get("status"))
                    message = str(said["refused"])[:4000]
                    if status == "out_of_memory":
                        message = text("handed_in", "out_of_memory")
                    elif status not in ("failed", "error"):
                        raise TranslatingFault(text("handed_in", "fault", reason="no status"))
                    return self._all(status, message, loaded)
                if "loaded" in said:
                    counts = {
                        name: int(said["loaded"][name]) for name in ("parameters", "subwords")
                    }
                    loaded = text("handed_in", "loaded", **counts)
                if "translations" in said:
                    return self._scored(_texts(said["translations"], len(pairs)), loaded)
        except _OutOfTime:
            details = {"count": len(pairs), "seconds": self.seconds}
            return self._all("timeout", text("handed_in", "timeout", **details), loaded)
        except _Died as error:
            if self._stopped:
                raise TranslatingFault(text("handed_in", "fault", reason="stopped")) from error
            return self._all("error", text("handed_in", "died", how=error), loaded)
        raise TranslatingFault(text("handed_in", "fault", reason="it ended without a result"))

    def _scored(self, translations: list[str], loaded: str) -> list[Verdict]:
        pairs, of = self.pairs, self.hand_in
        found = bleu(translations, [english for _, english in pairs])
        earned = of.earned(found.score)
        lines = [
            text("handed_in", "bleu", score=found.score, signature=found.signature,
                 count=len(pairs), begins=of.begins, begins_with=of.begins_with, full=of.full,
                 points=of.bleu)
        ]  # fmt: skip
        for place in range(0, len(pairs), max(1, -(-len(pairs) // SAMPLES))):
            german, english = pairs[place][0], translations[place][:300]
            lines.append(text("handed_in", "sample", german=german, english=english))
        status = "passed" if earned >= of.bleu else "failed"
        return [
            self._verdict("loads", of.loads, "passed", loaded, of.loads),
            self._verdict("bleu", of.bleu, status, "\n".join(lines), earned),
        ]

    def _translated(self, sentences: list[str], files: dict[str, bytes]) -> Iterator[dict]:
        """What the process tells. Raises TranslatingFault, _OutOfTime or _Died."""
        of = self.hand_in
        with contextlib.ExitStack() as stack:
            folder = ""
            if self._kind == "none":
                folder = stack.enter_context(tempfile.TemporaryDirectory())
            order = {
                "files": [[name, len(content)] for name, content in files.items()],
                "folder": folder,
                "confinement": self._confinement.to_json(),
                "max_len": of.max_len,
                "sentences": sentences,
                "options": {"beam_size": of.beam_size, "length_penalty": of.length_penalty},
            }
            given = stack.enter_context(tempfile.TemporaryFile())
            given.write(json.dumps(order).encode() + b"\n")
            given.writelines(files.values())
            files.clear()
            given.seek(0)
            complaints = stack.enter_context(tempfile.TemporaryFile())
            process = subprocess.Popen(
                [sys.executable, "-P", "-B", "-m", "autograder.grading.translator.process"],
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=complaints,
                env=_environment() | self._cache,
                cwd="/",
                start_new_session=self._kind != "none",  # there, it begins one of its own
            )
            self._running.add(process)
            if self._stopped:  # meanwhile
                process.terminate()
            try:
                yield from _heard(process, self.seconds, complaints)
            finally:
                _end(process)
                self._running.discard(process)

    @property
    def _cache(self) -> dict[str, str]:
        # torch may want a folder for what it compiles, and in a sandbox this is the only place.
        return {} if self._kind == "none" else {"TORCHINDUCTOR_CACHE_DIR": f"{WORK}/torch"}

    @cached_property
    def _kind(self) -> str:
        return choose(self._sandbox)

    @cached_property
    def _confinement(self) -> Confinement:
        python = [sys.base_prefix, sysconfig.get_path("stdlib"), *site.getsitepackages()]
        return Confinement(
            self._kind,
            view=plan_view(python, [str(Path.home())]),
            memory=MEMORY,
            processes=16,
            file_size=max(LARGEST.values()),
            disk=2 * max(LARGEST.values()),
            cpu=int(self.seconds) + 5,
        )


def _environment() -> dict[str, str]:
    kept = ("HOME", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "PYTHONPATH")
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        **dict.fromkeys(threads, "1"),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "TOKENIZERS_PARALLELISM": "false",
        "CUDA_VISIBLE_DEVICES": "",
    }


class _OutOfTime(Exception):
    """It took longer than it may."""


class _Died(Exception):
    """It was ended by a signal: memory of which the library does not say that it lacks."""


def _heard(process: subprocess.Popen, seconds: float, complaints) -> Iterator[dict]:
    """Each thing that the process tells, once it has begun; its time begins then, too."""
    until, begun, held, received = time.monotonic() + PATIENCE, False, b"", 0
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = until - time.monotonic()
            if left <= 0 and begun:
                raise _OutOfTime
            if left <= 0:
                raise TranslatingFault(text("handed_in", "fault", reason="it did not begin"))
            if not selector.select(left):
                continue
            part = os.read(process.stdout.fileno(), 1 << 16)
            received += len(part)
            if received > MOST_SAID:
                raise TranslatingFault(text("handed_in", "fault", reason="it says too much"))
            if not part:
                _explain(process, begun, complaints)
                return
            *lines, held = (held + part).split(b"\n")
            for line in lines:
                said = _parsed(line)
                if said.get("ready") and not begun:
                    begun, until = True, time.monotonic() + seconds
                yield said


def _parsed(line: bytes) -> dict:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise TranslatingFault(text("handed_in", "fault", reason="what it says is no JSON"))
    return said


def _explain(process: subprocess.Popen, begun: bool, complaints) -> None:
    """Say why the process ended, if it ended otherwise than it should."""
    try:
        code = process.wait(5)
    except subprocess.TimeoutExpired:
        return
    code = 128 - code if code < 0 else code
    if begun and code > 128:
        raise _Died(describe_end(code))
    if code:
        complaints.seek(0)
        lines = complaints.read()[-4000:].decode("utf-8", "replace").strip().splitlines()
        reason = lines[-1][:300] if lines else describe_end(code)
        raise TranslatingFault(text("handed_in", "fault", reason=plain(reason)))


def _end(process: subprocess.Popen) -> None:
    """End the process with all that it is confined in."""
    process.stdout.close()
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
    if process.poll() is None:
        process.kill()
    process.wait()


def _texts(found, count: int) -> list[str]:
    """The translations, if that is what they are."""
    if not isinstance(found, list) or len(found) != count:
        raise TranslatingFault(text("handed_in", "fault", reason="not as many translations"))
    if not all(isinstance(one, str) for one in found):
        raise TranslatingFault(text("handed_in", "fault", reason="a translation is no text"))
    # A lone surrogate can be in JSON, and in nothing that is written.
    return [one.encode("utf-8", "replace").decode() for one in found]


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
