"""A translator that is handed in earns points by what it translates, and by nothing else."""

import csv
import json
import zipfile
from types import SimpleNamespace

import pytest
import torch
from nbgrader.api import Gradebook

import transformer
from autograder.grading import pipeline
from autograder.grading.collect.submissions import attachments, collect
from autograder.grading.gradebook import in_kernel, preprocessors
from autograder.grading.pipeline import grade
from autograder.grading.request import Request
from autograder.grading.translator import runner as translating
from autograder.grading.translator.runner import (
    Died,
    OutOfTime,
    TranslatingFault,
    TranslatingRunner,
)
from autograder.grading.translator.scorer import Scorer, inspect_files
from autograder.lesson.course import read_course
from autograder.lesson.lesson import LESSONS
from transformer_workbook.translation.batches import pad
from transformer_workbook.translation.hand_in import LARGEST, SETTINGS, VOCABULARY, WEIGHTS, hand_in
from transformer_workbook.translation.subwords import BOS, EOS, Subwords
from transformer_workbook.translation.translator import Translator

from .conftest import SEED, Hand

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
    (folder / "hand_in.toml").write_text(HAND_IN)
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


def statuses(verdicts) -> dict[str, str]:
    return {one.test: one.status for one in verdicts}


def score(verdicts) -> float:
    return sum(one.score for one in verdicts)


def says(monkeypatch, *events) -> None:
    """Let the process tell these things, in place of one that translates."""
    monkeypatch.setattr(TranslatingRunner, "events", lambda *_: iter(events))


LOADED = {"loaded": {"parameters": 7, "subwords": 330}}


def test_translations_as_good_as_the_references_earn_all_points_and_are_kept(
    lesson, files, sandbox, tmp_path, monkeypatch
):
    verdicts = Scorer(lesson, tmp_path, sandbox).grade(inspect_files(attachments(files)))
    assert statuses(verdicts) == {"loads": "passed", "bleu": "passed"}
    assert score(verdicts) == 10
    said = verdicts[1].message
    assert "BLEU 100.00" in said and "nrefs:1|case:mixed" in said
    assert "A man is reading a book." in said
    monkeypatch.setattr(translating.subprocess, "Popen", None)
    assert Scorer(lesson, tmp_path, sandbox).grade(inspect_files(attachments(files))) == verdicts


def test_points_follow_from_the_translations_alone(lesson, handed, monkeypatch):
    (handed / SETTINGS).write_text(
        json.dumps(json.loads((handed / SETTINGS).read_text()) | {"bleu": 99, "score": 99})
    )
    middling = [
        "A man reads the book.", "A woman is standing before the house.", "A child is sleeping.",
        "Two dogs run by the lake.",
    ]  # fmt: skip
    says(monkeypatch, LOADED, {"translations": middling, "bleu": 99})
    verdicts = Scorer(lesson).grade(inspect_files(attachments(handed)))
    assert statuses(verdicts) == {"loads": "passed", "bleu": "failed"}
    assert 2 < verdicts[1].score < 9
    says(monkeypatch, LOADED, {"translations": ["A"] * len(PAIRS)})
    assert Scorer(lesson).grade(inspect_files(attachments(handed)))[1].score == 0


def test_other_sentences_are_another_score(lesson, handed, sentences, tmp_path, monkeypatch):
    says(monkeypatch, LOADED, {"translations": [english for _, english in PAIRS]})
    assert score(Scorer(lesson, tmp_path).grade(inspect_files(attachments(handed)))) == 10
    keep(sentences, [(german, "Something else.") for german, _ in PAIRS])
    assert score(Scorer(lesson, tmp_path).grade(inspect_files(attachments(handed)))) == 1


@pytest.mark.parametrize("missing", [WEIGHTS, VOCABULARY, SETTINGS])
def test_a_file_that_is_missing_is_named(lesson, handed, missing):
    (handed / missing).unlink()
    verdicts = Scorer(lesson).grade(inspect_files(attachments(handed)))
    assert statuses(verdicts) == {"loads": "missing", "bleu": "missing"}
    assert missing in verdicts[0].message and "wb.hand_in" in verdicts[0].message


@pytest.mark.parametrize("name", LARGEST)
def test_links_and_large_files_are_not_read(lesson, handed, name, tmp_path, monkeypatch):
    (handed / name).unlink()
    (tmp_path / "elsewhere").write_bytes(b"{}")
    (handed / name).symlink_to(tmp_path / "elsewhere")
    verdicts = Scorer(lesson).grade(inspect_files(attachments(handed)))
    assert statuses(verdicts) == {"loads": "error", "bleu": "error"}
    assert name in verdicts[0].message and "link" in verdicts[0].message
    (handed / name).unlink()
    with (handed / name).open("wb") as file:
        file.truncate(LARGEST[name] + 1)
    assert "larger than" in Scorer(lesson).grade(inspect_files(attachments(handed)))[0].message


def test_a_zip_bomb_is_read_no_further_than_its_bound(lesson, tmp_path):
    path = tmp_path / "submitted.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Amina/00-warm-up/warm-up.ipynb", "{}")
        for name in LARGEST:
            archive.writestr(f"Amina/00-warm-up/{name}", bytes(LARGEST[name] + 1))
        archive.writestr("Amina/00-warm-up/else.safetensors", "")
    (one,) = collect(path, [lesson.id])
    assert set(one.attachments) == set(LARGEST)
    verdicts = Scorer(lesson).grade(inspect_files(one.attachments))
    assert statuses(verdicts) == {"loads": "error", "bleu": "error"}


def test_what_is_no_model_gets_its_reason_from_within_the_sandbox(lesson, handed, sandbox):
    (handed / WEIGHTS).write_bytes(b"\x80\x04\x95cposix\nsystem\n(S'touch /tmp/forged'\ntR.")
    verdicts = Scorer(lesson, sandbox=sandbox).grade(inspect_files(attachments(handed)))
    assert statuses(verdicts) == {"loads": "failed", "bleu": "failed"}
    assert (
        "no safetensors file" in verdicts[0].message or "not a safetensors" in verdicts[0].message
    )


def test_what_takes_too_long_is_stopped(lesson, files, sandbox):
    verdicts = Scorer(lesson, sandbox=sandbox, limit=0.01).grade(inspect_files(attachments(files)))
    assert statuses(verdicts)["bleu"] == "timeout"
    assert "0.01 seconds" in verdicts[1].message or "0.01 seconds" in verdicts[0].message


def test_a_timeout_is_tried_again_with_more_time(lesson, files, tmp_path, monkeypatch):
    def late(*_):
        raise OutOfTime

    monkeypatch.setattr(TranslatingRunner, "events", late)
    assert score(Scorer(lesson, tmp_path, limit=5).grade(inspect_files(attachments(files)))) == 0
    says(monkeypatch, LOADED, {"translations": [english for _, english in PAIRS]})
    assert score(Scorer(lesson, tmp_path, limit=5).grade(inspect_files(attachments(files)))) == 0
    assert score(Scorer(lesson, tmp_path, limit=6).grade(inspect_files(attachments(files)))) == 10


def test_memory_that_is_not_there_is_said(lesson, handed, monkeypatch):
    says(monkeypatch, {"refused": "", "status": "out_of_memory"})
    verdicts = Scorer(lesson).grade(inspect_files(attachments(handed)))
    assert statuses(verdicts) == {"loads": "out_of_memory", "bleu": "out_of_memory"}


@pytest.mark.parametrize(
    "event",
    [{"translations": []}, {"translations": [1] * len(PAIRS)}, {"refused": "", "status": "passed"}],
)
def test_what_no_translator_says_is_the_graders_fault(lesson, handed, monkeypatch, event):
    says(monkeypatch, LOADED, event)
    with pytest.raises(TranslatingFault):
        Scorer(lesson).grade(inspect_files(attachments(handed)))


def test_without_the_sentences_nothing_is_scored_and_it_says_how_to_provide_them(
    lesson, handed, sentences
):
    (sentences / "test_2017_flickr.en").unlink()
    with pytest.raises(TranslatingFault, match=r"set MULTI30K_DIR"):
        Scorer(lesson).grade(inspect_files(attachments(handed)))


def test_files_that_change_while_they_are_graded_are_not_scored(lesson, handed):
    found = inspect_files(attachments(handed))
    (handed / SETTINGS).write_text("{}")
    with pytest.raises(TranslatingFault, match=SETTINGS):
        Scorer(lesson).grade(found)


def test_nbgraders_own_commands_score_what_lies_beside_the_notebook(
    course, lesson, handed, tmp_path, monkeypatch
):
    says(monkeypatch, LOADED, {"translations": [english for _, english in PAIRS]})
    resources = {
        "nbgrader": {"student": "Amina", "db_url": f"sqlite:///{tmp_path / 'gradebook.db'}"},
        "metadata": {"path": str(handed)},
    }
    assert score(preprocessors.JudgeSubmission().verdicts_on_files(lesson, resources)) == 10
    monkeypatch.setattr(in_kernel, "course", lambda: course)
    monkeypatch.chdir(handed)
    assert in_kernel.handed_in(lesson.id) == 10


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
    request = Request(submitted, tmp_path / "out", sandbox="none", seed=SEED, jobs=2)

    def again():
        return {one.student: one for one in grade(request)}

    yield SimpleNamespace(out=tmp_path / "out", again=again, submitted=submitted)
    for known in (preprocessors.released_notebook, preprocessors.grader_of):
        known.cache_clear()


def test_a_class_is_graded_with_what_it_handed_in(graded, lesson, sentences):
    (sentences / "test_2017_flickr.de").unlink()
    found = graded.again()
    assert {student: one.status for student, one in found.items()} == {
        "Amina": "grader_fault", "Diego": "missing", "Hana": "grader_fault",
    }  # fmt: skip
    assert found["Amina"].score is None, "no zero where the sentences cannot be had"
    assert "MULTI30K_DIR" in found["Amina"].message

    keep(sentences, PAIRS)
    found = graded.again()
    total = sum(lesson.points().values())
    points = {student: one.score for student, one in found.items()}
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


def test_what_was_stopped_is_nobodys_result(course, files, tmp_path, monkeypatch):
    """Ctrl-C ends a translating process, too; that says nothing about the translator."""
    scorer = Scorer(course.lesson("00-warm-up"), tmp_path, "none", pairs=PAIRS)
    asked = []

    def translated(*_):
        asked.append(1)
        scorer.stop()
        raise Died("by a signal")
        yield

    monkeypatch.setattr(scorer.runner, "events", translated)
    with pytest.raises(TranslatingFault, match="stopped"):
        scorer.grade(inspect_files(attachments(files)))
    assert len(asked) == 1 and not (tmp_path / "handed_in").exists()
