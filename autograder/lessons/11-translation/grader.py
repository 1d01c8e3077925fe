"""Judges a translator that is handed in with the notebook: weights, vocabulary and sizes.

What it earns stands in translator.toml.

The sandbox loads them, as data, into the reference's model and translates held-back sentences; see
`transformer_workbook.lessons.translation.grader_probes`. The evidence is text. Its BLEU, and from
it the points, are computed here; a score that a student claims is ignored.
"""

import hashlib
import json
import os
import re
import tempfile
import zlib
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from http.client import HTTPException
from pathlib import Path
from typing import Any

from autograder.errors import AuthoringError
from autograder.grading.run.grader import ComponentGrader, ExplainedFault, Judged, undisturbed
from autograder.judging.judge import TestResult
from autograder.judging.version import hash_of, surroundings, version_of_code
from autograder.language import _
from autograder.lesson.author_files import read_toml
from autograder.lesson.components import SOLUTIONS
from autograder.lesson.hand_in import HandIn
from autograder.lesson.lesson import Lesson
from autograder.results.outdir import digest
from autograder.results.remarks import Problem
from autograder.results.safe_names import plain
from autograder.results.submission import Attachments
from autograder.sandbox.job import Cell, Job, Outcome, Plan, ProbeCall
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runners
from transformer_workbook.lessons.translation.corpus import NoCorpus, Pair, test_pairs
from transformer_workbook.lessons.translation.hand_in import LARGEST
from transformer_workbook.shared.evidence import Evidence

MEMORY = 3 << 30  # bytes
MOST_TEXT = 16 << 20  # bytes
SAMPLES = 3  # translations that feedback shows
# The modules of the reference that translate with a submitted model.
TRANSLATING = [SOLUTIONS / f"{name}.py" for name in (
    "add_and_norm", "attention", "cached_attention", "cached_decoding", "embeddings",
    "feed_forward", "layers", "masks", "model", "multi_head_attention", "tensor_moves",
)]  # fmt: skip
# The sandbox runs the reference's modules as cells, which share their names without imports.
IMPORTS = re.compile(r"^from transformer\S* import (\([^)]*\)|.*)", re.MULTILINE)
REFERENCE = """
class Reference:
    make_model = staticmethod(make_model)
    cached_beam_search = staticmethod(cached_beam_search)
"""
CHANGED = _("{name} was changed while it was graded; start again.")


def translator_fault(reason: str) -> ExplainedFault:
    message = _("The process that translates failed: {reason}")
    return ExplainedFault(message, reason=plain(reason)[:300])


@dataclass(frozen=True)
class Settings:
    """A trained translator, scored by the BLEU of held-back sentences.

    `component` is its name in the results. `sentences` names a test set of Multi30k, or another in
    the same format. `loads` points are for files that hold a model of the course. A BLEU of
    `begins` earns `begins_with` points, one of `full` earns `bleu` points, and between the two the
    points are linear. `seconds` is the limit for one submission.
    """

    component: str
    sentences: str
    loads: float
    bleu: float
    begins: float
    begins_with: float
    full: float
    seconds: float = 180.0
    beam_size: int = 5
    length_penalty: float = 1.0
    max_len: int = 64

    @property
    def tests(self) -> dict[str, float]:
        """The points of each test."""
        return {"loads": self.loads, "bleu": self.bleu}

    def earned(self, score: float) -> float:
        """The points for a BLEU; none for NaN."""
        if not score >= self.begins:
            return 0.0
        if score >= self.full:
            return self.bleu
        share = (score - self.begins) / (self.full - self.begins)
        return round(self.begins_with + share * (self.bleu - self.begins_with), 2)


def read_settings(folder: Path) -> Settings:
    """Read what stands in translator.toml. Raises AuthoringError."""
    path = folder / "translator.toml"
    settings = Settings(**read_toml(path))
    if not (settings.begins < settings.full and settings.begins_with <= settings.bleu):
        raise AuthoringError(
            _("{path}: expected begins below full, and begins_with from 0 to bleu"), path=path
        )
    return settings


def hand_in(folder: Path) -> HandIn:
    """What is handed in, and what it earns. Raises AuthoringError."""
    settings = read_settings(folder)
    return HandIn(settings.component, settings.tests, LARGEST, partial(TranslatorGrader, settings))


@dataclass(frozen=True)
class TranslatorFiles:
    """The hashes of the submitted files, by name; `problem` if a file is missing or unreadable.

    The contents are read again when they are needed: the weights of a whole class are large.
    """

    attachments: Attachments
    hashes: dict[str, str]
    problem: tuple[str, str] = ("", "")  # status and message


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class TranslatorGrader(ComponentGrader[TranslatorFiles, dict[str, bytes]]):
    """Runs and judges the translators that are submitted for one lesson.

    Its answer key holds the held-back sentences with their translations.
    """

    def __init__(self, settings: Settings, lesson: Lesson, *options: Any, **more: Any):
        self.settings = settings
        super().__init__(lesson, *options, **more)

    def submitted(self, attachments: Attachments) -> TranslatorFiles:
        """Hash the submitted files. Nothing in them is interpreted."""
        hashes, problem = {}, ("", "")
        missing = [name for name in LARGEST if name not in attachments]
        if missing:
            message = _(
                "Beside the notebook there is no {names}. wb.hand_in writes it; hand it in in the "
                "notebook's folder."
            )
            problem = ("missing", message.format(names=", ".join(missing)))
        for name in LARGEST:
            try:
                if name in attachments:
                    hashes[name] = _hash(attachments[name]())
            except Problem as error:
                problem = ("error", f"{name}: {error.remark.text}")
        return TranslatorFiles(attachments, hashes, problem)

    @property
    def _usual_limit(self) -> float:
        return self.settings.seconds

    @property
    def limits(self) -> Limits:
        largest = max(LARGEST.values())
        return Limits(
            self.limit, step=self.limit, step_share=1.0, memory=MEMORY, processes=16,
            file_size=largest, disk=2 * largest, text=MOST_TEXT,
        )  # fmt: skip

    def key(self, files: TranslatorFiles) -> str:
        version = "" if files.problem[0] else self._version
        return digest(version, asdict(self.settings), files.hashes, files.problem)

    @cached_property
    def _version(self) -> str:
        return digest(version_of_code(), hash_of([Path(__file__)]), surroundings(), self._pairs[0])

    def remembered(self, files: TranslatorFiles) -> list[TestResult] | None:
        """The test results that need no run: of an earlier run, or on files that cannot be read."""
        if files.problem[0]:
            return self._without_points(*files.problem)
        return super().remembered(files)

    def content(self, files: TranslatorFiles) -> dict[str, bytes]:
        """The files' bytes. Raises ExplainedFault if they have changed since they were hashed."""
        contents = {}
        for name, expected in files.hashes.items():
            try:
                contents[name] = files.attachments[name]()
            except Problem as problem:
                raise ExplainedFault(CHANGED, name=name) from problem
            if _hash(contents[name]) != expected:
                raise ExplainedFault(CHANGED, name=name)
        return contents

    def prepare(self, runner: Runners | None, answer_key: bytes | None = None) -> None:
        if answer_key:
            self._pairs = json.loads(answer_key), ""
        assert self.pairs

    def answer_key(self) -> bytes:
        return json.dumps(self.pairs).encode()

    saved_answer_key = answer_key  # it is looked up, never computed

    @property
    def pairs(self) -> list[Pair]:
        """The held-back sentences. Raises ExplainedFault, which says how to provide them."""
        pairs, reason = self._pairs
        if not pairs:
            message = _(
                "The held-back sentences {name} cannot be had, so {lesson} is not graded. Put "
                "{name}.de.gz and {name}.en.gz into a folder and set MULTI30K_DIR to it, then "
                "start again. ({reason})"
            )
            name = self.settings.sentences
            raise ExplainedFault(message, name=name, lesson=self.lesson.id, reason=reason)
        return pairs

    @cached_property
    def _pairs(self) -> tuple[list[Pair], str]:
        """The held-back sentences; or none, and why."""
        name, folder = self.settings.sentences, os.environ.get("MULTI30K_DIR")
        cache = self.work / "multi30k" if self.work else Path(tempfile.mkdtemp())
        try:
            return test_pairs(name, folder, cache), ""
        except (NoCorpus, OSError, ValueError, EOFError, zlib.error, HTTPException) as error:
            return [], str(error)

    def run(self, files: dict[str, bytes], runner: Runners) -> Judged:
        outcome = undisturbed(runner.run(self._translation_job(files)))
        return self._test_results(outcome), [], []

    def _translation_job(self, files: dict[str, bytes]) -> Job:
        """The job that loads the files into the reference's model, and translates."""
        settings = self.settings
        inputs = {"max_len": settings.max_len}
        options = {"beam_size": settings.beam_size, "length_penalty": settings.length_penalty}
        sentences = {"sentences": [german for german, _english in self.pairs], "options": options}
        cells = [
            Cell(path.stem, "setup", IMPORTS.sub("", path.read_text(encoding="utf-8")))
            for path in TRANSLATING
        ]
        calls = [
            ProbeCall("loads", "loads", inputs),
            ProbeCall("bleu", "translates", inputs | sentences),
        ]
        cells.append(Cell("reference", "setup", REFERENCE))
        plan = Plan(settings.component, "Reference", calls)
        probes = "lessons.translation.grader_probes"
        return Job(self.lesson.id, cells, [plan], {}, files=files, probes=probes)

    def _test_results(self, outcome: Outcome) -> list[TestResult]:
        """A result for each test. Raises ExplainedFault for evidence that no translator sends."""
        loads, translates = outcome.evidence["loads"], outcome.evidence["bleu"]
        if refusal := self._refusal(loads, outcome):
            return self._without_points(*refusal)
        counts = {name: loads.values.get(name) for name in ("parameters", "subwords")}
        if not all(type(count) is int for count in counts.values()):
            raise translator_fault(_("it does not say what it loaded"))
        loaded = _(
            "The grader's model took the weights: {parameters:,} parameters, {subwords:,} "
            "sub-words."
        ).format(**counts)
        if refusal := self._refusal(translates, outcome):
            return self._without_points(*refusal, loaded)
        translations = translates.values.get("translations")
        if not isinstance(translations, list) or len(translations) != len(self.pairs):
            raise translator_fault(_("not as many translations"))
        if not all(isinstance(translation, str) for translation in translations):
            raise translator_fault(_("a translation is no text"))
        return self._score(translations, loaded)

    def _refusal(self, evidence: Evidence, outcome: Outcome) -> tuple[str, str] | None:
        """The status and message of a failure to load or translate; None if there was none."""
        failure = evidence.failure
        if failure is None:
            if "refused" not in evidence.values:
                return None
            status, message = evidence.values.get("status"), str(evidence.values["refused"])
            if status not in ("failed", "error"):
                raise translator_fault(_("no status"))
            return status, message[:4000]
        if failure.kind == "timeout":
            message = _(
                "Loading the model and translating {count:,} sentences took longer than "
                "{seconds:g} seconds and was stopped."
            )
            return "timeout", message.format(count=len(self.pairs), seconds=self.limit)
        if failure.kind == "out_of_memory" or "allocate memory" in failure.message:
            return "out_of_memory", _("The model takes too much memory.")
        if failure.kind == "died":
            message = _("The process that translates ended ({how}).")
            return "error", message.format(how=failure.message)
        failure = next(iter(outcome.cells.values()), failure)
        raise translator_fault(f"{failure.type}: {failure.message}")

    def _score(self, translations: list[str], loaded: str) -> list[TestResult]:
        """The test results on a translator that loaded and translated."""
        # It draws, so it is slow to import.
        from transformer_workbook.lessons.translation.trained_translator import bleu

        pairs, settings = self.pairs, self.settings
        result = bleu(translations, [english for _german, english in pairs])
        earned = settings.earned(result.score)
        message = _(
            "BLEU {score:.2f} on {count:,} held-back sentences ({signature}). A BLEU of "
            "{begins:g} earns {begins_with:g} points, {full:g} and more all {bleu:g}."
        )
        score = {"score": result.score, "signature": result.signature, "count": len(pairs)}
        lines = [message.format(**score, **asdict(settings))]
        for place in range(0, len(pairs), max(1, -(-len(pairs) // SAMPLES))):
            german, english = pairs[place][0], translations[place][:300]
            sample = _("“{german}” became “{english}”")
            lines.append(sample.format(german=german, english=english))
        status = "passed" if earned >= settings.bleu else "failed"
        return [
            self._test_result("loads", "passed", loaded, settings.loads),
            self._test_result("bleu", status, "\n".join(lines), earned),
        ]

    def _without_points(self, status: str, message: str, loaded: str = "") -> list[TestResult]:
        """Test results without points; but if the files were `loaded`, the first test is passed."""
        loads = ("passed", loaded, self.settings.loads) if loaded else (status, message)
        translated = message if loaded else _("Nothing was translated; see the test loads.")
        return [
            self._test_result("loads", *loads),
            self._test_result("bleu", status, translated),
        ]

    def _test_result(self, test: str, status: str, message: str, score: float = 0.0) -> TestResult:
        points, message = self.settings.tests[test], plain(message).strip()
        return TestResult(self.settings.component, test, score, points, status, "", message)
