"""A translator that is handed in earns points by what it translates, and by nothing else."""

import contextlib
import csv
import json
import re
import shutil
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import torch
from nbgrader.api import Gradebook

import transformer
from autograder.commands import grade as pipeline
from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.grading.run.grader import ExplainedFault
from autograder.lesson.course import read_course
from autograder.lesson.lesson import LESSONS
from autograder.nbgrader import preprocessors
from autograder.sandbox.job import Cell, Job, Outcome, RunnerFault
from autograder.sandbox.runner import Runner
from autograder.submissions.collect import collect
from autograder.submissions.sources.entries import attachments_in
from transformer_workbook.lessons.translation.batches import pad
from transformer_workbook.lessons.translation.hand_in import (
    LARGEST,
    SETTINGS,
    VOCABULARY,
    WEIGHTS,
    hand_in,
)
from transformer_workbook.lessons.translation.subwords import BOS, EOS, Subwords
from transformer_workbook.lessons.translation.trained_translator import Translator
from transformer_workbook.shared.evidence import Evidence, Failure

from ..conftest import SEED, Hand

PAIRS = [
    ("Ein Mann liest ein Buch.", "A man is reading a book."),
    ("Eine Frau steht vor dem Haus.", "A woman is standing in front of the house."),
    ("Das Kind schläft auf der Wiese.", "The child is sleeping on the grass."),
    ("Zwei Hunde laufen am See.", "Two dogs are running by the lake."),
]
HAND_IN = """
component = "translation"
sentences = "test_2017_flickr"
loads = 1
bleu = 9
begins = 20
begins_with = 2
full = 34
beam_size = 2
"""
SLOW = "import time; time.sleep(60)"
CELL = '\n# %% hand_in="translation"\nwb.hand_in(outcome)\n'


@pytest.fixture(scope="module")
def trained() -> Translator:
    """A translator that knows these four sentences by heart."""
    torch.manual_seed(0)
    subwords = Subwords.learn([sentence for pair in PAIRS for sentence in pair], 330)
    sizes = {"num_layers": 1, "d_model": 32, "num_heads": 2, "d_ff": 64, "dropout": 0.0}
    model = transformer.make_model(len(subwords), len(subwords), tie_weights=True, **sizes)
    src = pad([[*subwords.encode(german), EOS] for german, _ in PAIRS])
    tgt = pad([[BOS, *subwords.encode(english), EOS] for _, english in PAIRS])
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    loss_fn = transformer.LabelSmoothing(len(subwords), 0, 0.0)
    for _ in range(80):
        transformer.train_step(model, (src, tgt), loss_fn, optimizer)
    return Translator(model, subwords)


@pytest.fixture(scope="module")
def files(trained, tmp_path_factory):
    """The folder that its hand_in has written."""
    folder = tmp_path_factory.mktemp("files")
    hand_in(trained, folder)
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course of the warm-up lesson alone, with something to hand in."""
    lessons = tmp_path_factory.mktemp("course")
    folder = lessons / "00-warm-up"
    folder.mkdir()
    for path in (LESSONS / "00-warm-up").iterdir():
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    (folder / "translator.toml").write_text(HAND_IN)
    for name in ("grader.py", "translator.json"):
        shutil.copy(LESSONS / "11-translation" / name, folder)
    lesson = folder / "lesson.py"
    lesson.write_text(lesson.read_text(encoding="utf-8") + CELL, encoding="utf-8")
    (lessons / "course.toml").write_text(
        'title = "T"\nrepository = "https://github.com/OWNER/REPO"\nbranch = "main"\n'
        'tag = "main"\nlessons = [{ folder = "00-warm-up", title = "Warm-up" }]\n'
    )
    return read_course(lessons / "course.toml", lessons)


@pytest.fixture(scope="module")
def lesson(course):
    return course.lesson("00-warm-up")


def keep(folder, pairs) -> None:
    """Write pairs where the held-back sentences are looked for."""
    for place, language in enumerate(("de", "en")):
        text = "".join(f"{pair[place]}\n" for pair in pairs)
        (folder / f"test_2017_flickr.{language}").write_text(text, encoding="utf-8")


@pytest.fixture(autouse=True)
def sentences(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("sentences")
    keep(folder, PAIRS)
    monkeypatch.setenv("MULTI30K_DIR", str(folder))
    return folder


@pytest.fixture
def handed(files, tmp_path):
    """The three files in a folder of their own, to be spoilt."""
    folder = tmp_path / "handed"
    folder.mkdir()
    for path in files.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def statuses(test_results) -> dict[str, str]:
    return {test_result.test: test_result.status for test_result in test_results}


def score(test_results) -> float:
    return sum(test_result.score for test_result in test_results)


class Says:
    """A runner whose process returns this evidence, in place of one that translates."""

    def __init__(self, loads: dict | Failure, translates: dict | Failure | None = None):
        self.evidence = {
            call: Evidence(failure=actual)
            if isinstance(actual, Failure)
            else Evidence({}, actual or {})
            for call, actual in {"loads": loads, "bleu": translates}.items()
        }
        self.asked = 0

    def run(self, job) -> Outcome:
        self.asked += 1
        return Outcome(evidence=self.evidence)


LOADED = {"parameters": 7, "subwords": 330}
WHOLE = Says(LOADED, {"translations": [english for _, english in PAIRS]})


@pytest.fixture
def judged(lesson, sandbox):
    """The test results on the files in a folder; `runner` stands in for one of this machine."""
    with contextlib.ExitStack() as stack:

        def judge(handed, work=None, runner=None, limit=0.0):
            def started(limits):
                return runner or stack.enter_context(Runner(sandbox, limits))

            if not isinstance(handed, dict):
                handed = attachments_in(handed, LARGEST)
            grader = lesson.hand_in.grader(lesson, "", started, work, limit)
            return grader.grade(grader.submitted(handed))

        yield judge


def test_translations_as_good_as_the_references_earn_all_points_and_are_kept(
    judged, files, tmp_path
):
    test_results = judged(files, tmp_path)
    assert statuses(test_results) == {"loads": "passed", "bleu": "passed"}
    assert score(test_results) == 10
    said = test_results[1].message
    assert "BLEU 100.00" in said and "nrefs:1|case:mixed" in said
    assert "A man is reading a book." in said
    assert judged(files, tmp_path, runner="not asked again") == test_results


def test_points_follow_from_the_translations_alone(judged, handed):
    (handed / SETTINGS).write_text(
        json.dumps(json.loads((handed / SETTINGS).read_text()) | {"bleu": 99, "score": 99})
    )
    middling = [
        "A man reads the book.", "A woman is standing before the house.", "A child is sleeping.",
        "Two dogs run by the lake.",
    ]  # fmt: skip
    test_results = judged(handed, runner=Says(LOADED, {"translations": middling, "bleu": 99}))
    assert statuses(test_results) == {"loads": "passed", "bleu": "failed"}
    assert 2 < test_results[1].score < 9
    nothing = Says(LOADED, {"translations": ["A"] * len(PAIRS)})
    assert judged(handed, runner=nothing)[1].score == 0


def test_other_sentences_are_another_score(judged, handed, sentences, tmp_path):
    assert score(judged(handed, tmp_path, WHOLE)) == 10
    keep(sentences, [(german, "Something else.") for german, _ in PAIRS])
    assert score(judged(handed, tmp_path, WHOLE)) == 1


@pytest.mark.parametrize("missing", [WEIGHTS, VOCABULARY, SETTINGS])
def test_a_file_that_is_missing_is_named(judged, handed, missing):
    (handed / missing).unlink()
    test_results = judged(handed)
    assert statuses(test_results) == {"loads": "missing", "bleu": "missing"}
    assert missing in test_results[0].message and "wb.hand_in" in test_results[0].message


@pytest.mark.parametrize("name", LARGEST)
def test_links_and_large_files_are_not_read(judged, handed, name, tmp_path):
    (handed / name).unlink()
    (tmp_path / "elsewhere").write_bytes(b"{}")
    (handed / name).symlink_to(tmp_path / "elsewhere")
    test_results = judged(handed)
    assert statuses(test_results) == {"loads": "error", "bleu": "error"}
    assert name in test_results[0].message and "link" in test_results[0].message
    (handed / name).unlink()
    with (handed / name).open("wb") as file:
        file.truncate(LARGEST[name] + 1)
    assert "larger than" in judged(handed)[0].message


def test_a_zip_bomb_is_read_no_further_than_its_bound(lesson, judged, tmp_path):
    path = tmp_path / "submitted.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Amina/00-warm-up/warm-up.ipynb", "{}")
        for name in LARGEST:
            archive.writestr(f"Amina/00-warm-up/{name}", bytes(LARGEST[name] + 1))
        archive.writestr("Amina/00-warm-up/else.safetensors", "")
    (submission,) = collect(path, [lesson]).submissions
    assert set(submission.attachments) == set(LARGEST)
    test_results = judged(submission.attachments)
    assert statuses(test_results) == {"loads": "error", "bleu": "error"}


def test_what_takes_too_long_is_stopped(judged, files):
    test_results = judged(files, limit=0.01)
    assert statuses(test_results)["bleu"] == "timeout"
    assert "0.01 seconds" in test_results[1].message or "0.01 seconds" in test_results[0].message


@pytest.mark.parametrize(
    "kind, status, said",
    [("timeout", "timeout", "longer than 180 seconds"), ("died", "error", r"SIGSEGV"),
     ("out_of_memory", "out_of_memory", "too much memory")],
)  # fmt: skip
def test_what_loaded_keeps_its_points_whatever_ends_the_translating(
    judged, files, kind, status, said
):
    failure = Failure(kind, message="the process was ended by SIGSEGV")
    loads, bleu = judged(files, runner=Says(LOADED, failure))
    assert (loads.status, loads.score) == ("passed", 1)
    assert (bleu.status, bleu.score) == (status, 0) and re.search(said, bleu.message)
    assert statuses(judged(files, runner=Says(failure, failure))) == {
        "loads": status, "bleu": status,
    }  # fmt: skip


def test_a_timeout_is_tried_again_with_more_time(judged, files, tmp_path):
    late = Failure("timeout")
    assert score(judged(files, tmp_path, Says(late, late), limit=5)) == 0
    assert score(judged(files, tmp_path, WHOLE, limit=5)) == 0
    assert score(judged(files, tmp_path, WHOLE, limit=6)) == 10


def test_memory_that_torch_does_not_get_is_said(judged, handed):
    failure = Failure("exception", "RuntimeError", "std::bad_alloc: cannot allocate memory")
    test_results = judged(handed, runner=Says(failure, failure))
    assert statuses(test_results) == {"loads": "out_of_memory", "bleu": "out_of_memory"}


@pytest.mark.parametrize(
    "loads, translates",
    [
        (LOADED, {}),
        (LOADED, {"translations": []}),
        (LOADED, {"translations": [1] * len(PAIRS)}),
        (LOADED, {"refused": "", "status": "passed"}),
        (LOADED, Failure("exception", "KeyError", "in the grader's own code")),
        ({"parameters": "many", "subwords": 3}, {}),
    ],
)
def test_what_no_translator_says_is_the_graders_fault(judged, handed, tmp_path, loads, translates):
    runner = Says(loads, translates)
    with pytest.raises(ExplainedFault, match="The process that translates failed"):
        judged(handed, tmp_path, runner)
    assert runner.asked == 1 and not list(tmp_path.glob("results/*"))


def test_without_the_sentences_nothing_is_scored_and_it_says_how_to_provide_them(
    judged, handed, sentences
):
    (sentences / "test_2017_flickr.en").unlink()
    with pytest.raises(ExplainedFault, match=r"set MULTI30K_DIR"):
        judged(handed, runner=WHOLE)


def test_files_that_change_while_they_are_graded_are_not_scored(lesson, handed):
    grader = lesson.hand_in.grader(lesson)
    files = grader.submitted(attachments_in(handed, LARGEST))
    (handed / SETTINGS).write_text("{}")
    with pytest.raises(ExplainedFault, match=SETTINGS):
        grader.grade(files)


def test_nbgraders_own_commands_score_what_lies_beside_the_notebook(
    lesson, handed, tmp_path, monkeypatch
):
    monkeypatch.setattr(preprocessors, "runner_with", lambda *_: WHOLE)
    resources = {
        "nbgrader": {"student": "Amina", "db_url": f"sqlite:///{tmp_path / 'gradebook.db'}"},
        "metadata": {"path": str(handed)},
    }
    judge = preprocessors.JudgeSubmission()
    assert score(judge.results_of_files(lesson, lesson.hand_in, resources)) == 10


@pytest.fixture
def graded(course, lesson, files, tmp_path, monkeypatch):
    """Three students: one who handed all in, one without files, one with a pickle."""
    monkeypatch.setattr(pipeline, "read_course", lambda: course)
    monkeypatch.setattr(preprocessors, "course", lambda: course)
    for known in (preprocessors.released_notebook, preprocessors.grader_of):
        known.cache_clear()
    hand, submitted = Hand(course, lesson), tmp_path / "submitted"
    for student in ("Amina", "Diego", "Hana"):
        notebook = hand.filled()
        path = hand.put(submitted, student, notebook)
        for file in files.iterdir() if student != "Diego" else ():
            (path.parent / file.name).write_bytes(file.read_bytes())
    (submitted / "Hana" / lesson.id / WEIGHTS).write_bytes(b"PK\x03\x04 a pickle in a zip")
    request = Request(submitted, tmp_path / "out", sandbox="none", secret=SEED, jobs=2)

    def again():
        return {result.student: result for result in grade(request)}

    yield SimpleNamespace(out=tmp_path / "out", again=again, submitted=submitted)
    for known in (preprocessors.released_notebook, preprocessors.grader_of):
        known.cache_clear()


def test_a_class_is_graded_with_what_it_handed_in(graded, lesson, sentences):
    (sentences / "test_2017_flickr.de").unlink()
    results = graded.again()
    assert {student: one.status for student, one in results.items()} == {
        "Amina": "grader_fault", "Diego": "missing", "Hana": "grader_fault",
    }  # fmt: skip
    assert results["Amina"].score is None, "no zero where the sentences cannot be had"
    assert "MULTI30K_DIR" in results["Amina"].message

    keep(sentences, PAIRS)
    results = graded.again()
    total = sum(lesson.points().values())
    points = {student: one.score for student, one in results.items()}
    assert points == {"Amina": total, "Diego": total - 10, "Hana": total - 10}
    with open(graded.out / "grades.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["component"] == "translation"]
    assert [(row["student"], row["test"], row["status"], row["score"]) for row in rows] == [
        ("Amina", "loads", "passed", "1"), ("Amina", "bleu", "passed", "9"),
        ("Diego", "loads", "missing", "0"), ("Diego", "bleu", "missing", "0"),
        ("Hana", "loads", "failed", "0"), ("Hana", "bleu", "failed", "0"),
    ]  # fmt: skip
    with Gradebook(f"sqlite:///{graded.out / 'gradebook.db'}") as gradebook:
        grade = gradebook.find_grade("test_translation", lesson.name, lesson.id, "Amina")
        assert grade.auto_score == 10
    page = graded.out / "feedback/Amina" / lesson.id / f"{lesson.name}.html"
    assert "A man is reading a book." in page.read_text(encoding="utf-8")
    assert "tok:13a" in page.read_text(encoding="utf-8")
    assert "translation" in (graded.out / "report.html").read_text(encoding="utf-8")

    before = (graded.out / "grades.csv").read_bytes()
    assert {student: one.score for student, one in graded.again().items()} == points
    assert (graded.out / "grades.csv").read_bytes() == before


def test_what_was_stopped_is_nobodys_result(lesson, files, tmp_path):
    """Ctrl-C ends what translates, too; that says nothing about the translator."""
    grader = lesson.hand_in.grader(lesson, "", None, tmp_path)
    with Runner("none", grader.limits) as runner:
        runner.fork_server.wait_until_ready()
        job = Job(lesson.id, [Cell("slow", "setup", SLOW)], [], {})
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(runner.run, job)
            time.sleep(0.5)
            runner.stop()
            with pytest.raises(RunnerFault, match="stopped"):
                running.result(20)
        with pytest.raises(RunnerFault, match="stopped"):
            grader.grade(grader.submitted(attachments_in(files, LARGEST)), runner)
    disturbed = SimpleNamespace(run=lambda _: Outcome(was_disturbed=True))
    with pytest.raises(RunnerFault, match="misbehaved"):
        grader.grade(grader.submitted(attachments_in(files, LARGEST)), disturbed)
    assert not (tmp_path / "results").exists()
