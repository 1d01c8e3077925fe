"""What an LMS gives is mapped to students and lessons, whatever it is called in there."""

from zoneinfo import ZoneInfo

import pytest
from hostile.reported import NAMED

from autograder.errors import WrongUsage
from autograder.results.remarks import Problem
from autograder.results.submission import SubmissionResult
from autograder.submissions.choose_notebook import chosen
from autograder.submissions.collect import collect, require_lessons

from .zips import AMINA, DIEGO, JOSE, Canvas, Moodle, raw, zipped


def mapped(found) -> set[tuple[str, str]]:
    return {(one.student, one.lesson) for one in found.submissions}


def counted(found) -> dict[str, bool]:
    return {row.path: row.counts for row in found.rows}


def content(submission) -> bytes:
    ((_name, read), *_others) = submission.notebooks
    return b"".join(read())


def test_canvas_names_the_student_the_id_and_lateness(found, hand_first):
    zip = Canvas()
    zip.put(AMINA, "attention.ipynb", hand_first.filled())
    path = zip.put(JOSE, "attention.ipynb", hand_first.filled(), late=True)
    assert path == "garcíalópezjosé_LATE_12346_67897_attention.ipynb"
    result = found(zip.zip())
    assert result.layout == "canvas"
    assert mapped(result) == {
        ("khanamina_12345", "01-attention"), ("garcíalópezjosé_12346", "01-attention")
    }  # fmt: skip
    late = {one.student: one.late for one in result.submissions}
    assert late == {"khanamina_12345": False, "garcíalópezjosé_12346": True}
    assert {one.original for one in result.submissions} == {name for name, _content in zip.files}


def test_of_two_files_of_one_attempt_the_fullest_counts_and_the_other_is_named(found, hand_first):
    zip = Canvas()
    full = zip.put(AMINA, "attention.ipynb", hand_first.filled())
    blank = zip.put(AMINA, "attention-1.ipynb", hand_first.released)
    result = found(zip.zip())
    assert counted(result) == {full: True, blank: True}
    (submission,) = result.submissions
    rebuilt, (told,) = chosen(hand_first.lesson, lambda _tag: hand_first.released, submission)
    assert rebuilt.cells and "attention-1.ipynb" in told.text and told.key == "several_most"


@pytest.mark.parametrize("others", [True, False])
def test_a_pdf_in_place_of_a_notebook_could_not_be_graded_and_was_tried(found, hand_first, others):
    zip = Canvas()
    zip.put(AMINA, "attention.pdf", b"%PDF-1.7")
    if others:  # they tell the lesson
        zip.put(JOSE, "attention.ipynb", hand_first.filled())
    one = next(one for one in found(zip.zip()).submissions if one.student == "khanamina_12345")
    with pytest.raises(Problem, match="no notebook in what was handed in") as raised:
        content(one)
    result = SubmissionResult(one.student, one.lesson, 1.0, problem=raised.value.remark)
    assert result.status == "error"


def test_whatever_comes_has_a_row_but_for_what_systems_make(found, hand):
    file, deep = "_assignsubmission_file/", "Users/ola/Documents/Uni/Master/SS26/NLP"
    content = raw(hand.filled())
    zip = zipped([
        (f". Priya_2{file}warm-up.ipynb", content),
        (f"Ola Deep_3{file}{deep}/Homework/transformer/course/00-warm-up/warm-up.ipynb", content),
        (".hidden/x.ipynb", content),
        ("__MACOSX/x.ipynb", content),
    ])  # fmt: skip
    result = found(zip)
    assert mapped(result) == {("\\x2e Priya", "00-warm-up"), ("Ola Deep", "00-warm-up")}
    assert notes(result)[".hidden"] == "its name begins with a dot"
    assert len(result.rows) == 3
    result = found({
        "ann/00-warm-up/warm-up.ipynb": content,
        "ann/00-warm-up/.again.ipynb": content,
        "ann/00-warm-up/.ipynb_checkpoints/warm-up-checkpoint.ipynb": content,
        "ann/00-warm-up/data/x.csv": b"1",
        "bo/00-warm-up/warm-up.ipynb": content,
        "readme.md": b"hello",
    })  # fmt: skip
    assert {(row.path, row.student, row.note) for row in result.rows if not row.counts} == {
        ("ann/00-warm-up/.again.ipynb", "ann", "its name begins with a dot"),
        ("ann/00-warm-up/data/x.csv", "ann", "it is no notebook"),
        ("readme.md", "", "its place does not tell a student"),
    }


def test_of_a_clone_the_lessons_are_graded_and_the_rest_is_no_lesson(found, hand, hand_first):
    python = b"def scaled_dot_product_attention(query): ...\n"
    clone = {
        "README.md": b"#", "environment.yml": b"", "pyproject.toml": b"", ".git/HEAD": b"ref",
        "course/00-warm-up/warm-up.ipynb": raw(hand.filled()),
        "course/01-attention/attention.ipynb": raw(hand_first.filled()),
        "course/my_transformer/attention.py": python, "my_transformer (1).zip": b"PK",
        "course/transformer_workbook/a/b.py": python, "solutions/transformer/a.py": python,
        "notes/todo.txt": b"-",
    }  # fmt: skip
    files = {f"{student}/{path}": content for student in "ab" for path, content in clone.items()}
    result = found(files)
    wanted = {("00-warm-up", True), ("01-attention", True), ("", False)}
    assert {(row.lesson, row.counts) for row in result.rows} == wanted
    of_a = {path: note for path, note in notes(result).items() if path < "b"}
    assert {path.removeprefix("a/"): note for path, note in of_a.items()} == {
        "README.md": "it is no notebook", "environment.yml": "it is no notebook",
        "pyproject.toml": "it is no notebook", ".git": "its name begins with a dot",
        "notes/todo.txt": "it is no notebook", "solutions": "it belongs to the course",
        "course/my_transformer": "it belongs to the course",
        "my_transformer (1).zip": "it belongs to the course",
        "course/transformer_workbook": "it belongs to the course",
        "course/00-warm-up/warm-up.ipynb": "", "course/01-attention/attention.ipynb": "",
    }  # fmt: skip
    zip = Moodle()
    for person in (AMINA, JOSE):
        zip.put(person, "repository.zip", zipped([*clone.items()]))
    files = {f"01-attention/{path}": content for path, content in zip.files}
    assert {lesson for _student, lesson in mapped(found(files))} == {"01-attention"}


def test_a_folder_beside_those_of_lessons_is_told_and_is_nobodys(found, hand, hand_first):
    files = {
        "00-warm-up/Amina Khan.ipynb": raw(hand.filled()),
        "00-warm-up/Jose Garcia.ipynb": raw(hand.filled()),
        "01-attention/Amina Khan.ipynb": raw(hand_first.filled()),
        "feedback from last year/notes.txt": b"hello",
    }
    result = found(files)
    assert mapped(result) == {
        ("Amina Khan", "00-warm-up"), ("Jose Garcia", "00-warm-up"), ("Amina Khan", "01-attention")
    }  # fmt: skip
    (stray,) = [row for row in result.rows if not row.student]
    assert stray.path == "feedback from last year" and "does not tell a lesson" in stray.note


def test_anonymous_students_of_canvas_stay_apart(found, hand_first):
    files = [
        ("anon_Ab3_700_attention.ipynb", hand_first.filled()),
        ("LATE_anon_zz9_701_attention.ipynb", hand_first.filled()),
    ]
    result = found(zipped(files))
    assert {(one.student, one.late) for one in result.submissions} == {
        ("anon_Ab3", False), ("anon_zz9", True)
    }  # fmt: skip


@pytest.mark.parametrize("underscore", ["_", ""], ids=["until 4.0", "since 4.1"])
@pytest.mark.parametrize("folders", [True, False], ids=["folders", "files"])
def test_moodle_names_the_student_and_the_participant(found, hand_first, underscore, folders):
    zip = Moodle(underscore=underscore, folders=folders)
    for person in (AMINA, JOSE, DIEGO):
        zip.put(person, "attention.ipynb", hand_first.filled())
    result = found(zip.zip())
    assert result.layout == "moodle"
    assert mapped(result) == {(one.name, "01-attention") for one in (AMINA, JOSE, DIEGO)}


def test_a_student_has_one_name_in_all_assignments_of_moodle(found, hand, hand_first):
    first, second = Moodle(501), Moodle(801)
    first.put(JOSE, "warm-up.ipynb", hand.filled())
    second.put(JOSE, "attention.ipynb", hand_first.filled())
    files = {f"week {n}/{path}": raw(one) for n, zip in enumerate((first, second))
             for path, one in zip.files}  # fmt: skip
    assert mapped(found(files)) == {(JOSE.name, "00-warm-up"), (JOSE.name, "01-attention")}


@pytest.mark.parametrize(
    ("names", "student"), [(("Ann Lee", "Ann Lee"), "Ann Lee"), ((" ", "\u00a0"), "unnamed")]
)
def test_two_students_of_one_name_or_of_none_stay_two(found, hand_first, names, student):
    files = [
        (f"{name}_{number}_assignsubmission_file_/attention.ipynb", hand_first.filled())
        for number, name in enumerate(names)
    ]
    assert mapped(found(zipped(files))) == {
        (f"{student} ({number})", "01-attention") for number in (0, 1)
    }


def test_the_newest_attempt_of_the_exchange_counts_with_its_time(found, hand_first):
    times = ("2026-03-01 10:00:00.000001 UTC", "2026-03-02 09:00:00.000001 CET")
    files = {
        f"inbound/s1+01-attention+{times[0]}/attention.ipynb": raw(hand_first.released),
        f"inbound/s1+01-attention+{times[1]}+xK3/attention.ipynb": raw(hand_first.filled()),
        f"inbound/s1+01-attention+{times[1]}+xK3/timestamp.txt": times[1].encode(),
        f"inbound/s1+01-attention+{times[1]}+xK3/submission_secret.txt": b"0123",
        f"inbound/s2+01-attention+{times[0]}/attention.ipynb": raw(hand_first.filled()),
        "outbound/01-attention/attention.ipynb": raw(hand_first.released),
    }
    collected = found(files)
    assert [row.note for row in collected.rows if "secret" in row.path] in ([], [""])
    first, second = collected.submissions
    assert (first.student, first.submitted) == ("s1", "2026-03-02T08:00:00+00:00")
    assert content(first) == raw(hand_first.filled())
    assert (second.student, second.submitted) == ("s2", "2026-03-01T10:00:00+00:00")


@pytest.mark.parametrize(
    ("zone", "time"), [("+08", "01:00:00"), ("-0330", "12:30:00"), ("+08+xK3", "01:00:00")]
)
def test_the_zone_of_an_exchange_may_be_an_offset(found, hand_first, zone, time):
    path = f"inbound/ann+b+01-attention+2026-10-12 09:00:00.000000 {zone}/attention.ipynb"
    (one,) = found({path: raw(hand_first.filled())}).submissions
    assert (one.student, one.submitted) == ("ann+b", f"2026-10-12T{time}+00:00")


@pytest.mark.parametrize(
    ("layout", "older", "newer", "student", "time"),
    [
        ("blackboard", "Week 1_ann_attempt_2026-10-04-09-00-00_attention.ipynb",
         "Week 1_ann_attempt_2026-10-05-23-23-07_my.ipynb", "ann", "2026-10-05T21:23:07+00:00"),
        ("d2l", "471-88 - Ann Lee - Oct 4, 2026 900 AM/attention.ipynb",
         "471-88 - Ann Lee - Oct 5, 2026 1123 PM/attention.ipynb", "Ann Lee",
         "2026-10-05T21:23:00+00:00"),
        ("d2l", "471-88 - Ann Lee - 4 October, 2026 9:00 AM - attention.ipynb",
         "471-88 - Ann Lee - 5 October, 2026 11:23 PM - attention.ipynb", "Ann Lee",
         "2026-10-05T21:23:00+00:00"),
        ("teams", "Work/Submitted files/Ann Lee/Week 1/Version 9/attention.ipynb",
         "Work/Submitted files/Ann Lee/Week 1/Version 10/attention.ipynb", "Ann Lee", ""),
    ],
)  # fmt: skip
def test_of_the_attempts_of_other_lmss_the_newest_counts(
    tmp_path, course, hand_first, layout, older, newer, student, time
):
    files = {older: raw(hand_first.released), newer: raw(hand_first.filled())}
    text = newer.partition("_my")[0] + ".txt"
    files |= {text: b"Name: Ann"} if layout == "blackboard" else {}
    working = "Work/Working files/Ann Lee/Week 1/attention.ipynb"
    files |= {working: raw(hand_first.released)} if layout == "teams" else {}
    path = tmp_path / "class.zip"
    path.write_bytes(zipped([*files.items()]))
    result = collect(path, course.lessons, timezone=ZoneInfo("Europe/Berlin"))
    (one,) = result.submissions
    assert (result.layout, one.student, one.lesson) == (layout, student, "01-attention")
    assert content(one) == raw(hand_first.filled()) and one.submitted == time
    told = {row.path: row.note for row in result.rows}
    assert told.pop(older) == "an earlier attempt" and told.pop(newer) == ""
    assert {*told.values()} <= {"it is no notebook", "these files were not handed in"}


def test_what_github_classroom_clones_is_of_the_student_it_is_called_after(found, hand, hand_first):
    files = {
        f"01-attention-submissions/attention-{login}/{path}": content
        for login in ("ann", "bo-b")
        for path, content in {
            "README.md": b"#",
            "attention.ipynb": raw(hand_first.filled()),
        }.items()
    }
    files["warm-up-submissions/warm-up-ann/x.ipynb"] = raw(hand.filled())
    assert mapped(found(files)) == {
        ("ann", "01-attention"), ("bo-b", "01-attention"), ("ann", "00-warm-up")
    }  # fmt: skip


def test_what_gradescope_exports_is_refused_with_what_to_do(found, hand_first):
    files = {"assignment_9_export/submission_77/attention.ipynb": raw(hand_first.filled())}
    with pytest.raises(WrongUsage, match="Gradescope exports.*submission_metadata.yml; call each"):
        found(files | {"assignment_9_export/submission_metadata.yml": b"submission_77:"})


@pytest.mark.parametrize("report", NAMED)
def test_what_other_graders_download_is_of_the_right_students(found, hand_first, report):
    paths, students = NAMED[report]
    content = raw(hand_first.filled())
    packed = zipped([("attention.ipynb", hand_first.filled())])
    result = found({path: packed if path.endswith(".zip") else content for path in paths})
    assert mapped(result) == {(student, "01-attention") for student in students}
    newest = [path for path in paths if path.endswith((".ipynb", ".zip"))][-len(students) :]
    assert {row.path for row in result.rows if row.counts} == {*newest}


def test_a_folder_of_google_classroom(found, hand_first):
    files = {
        f"Attention/{person.name} - Copy of attention.ipynb": raw(hand_first.filled())
        for person in (AMINA, JOSE)
    }
    assert mapped(found(files)) == {(one.name, "01-attention") for one in (AMINA, JOSE)}


@pytest.mark.parametrize(
    "path",
    [
        "{student}/01-attention/attention.ipynb",
        "{student}/01/attention.ipynb",
        "{student}/1/my.ipynb",
        "{student}/Attention/my.ipynb",
        "{student}/attention.ipynb",
        "{student}/Colab Notebooks/Copy of attention.ipynb",
        "{student}/week 1/deep/er/x.ipynb",
        "{student}/01-attention/unpacked/x.ipynb",
        "01-attention/{student}/attention.ipynb",
        "01-attention/{student}.ipynb",
        "01/attention_{student}.ipynb",
        "{student}.ipynb",
        "{student}-01-attention.ipynb",
        "attention {student}.ipynb",
        "Submissions/{student}/attention.ipynb",
        "Submissions/{student}.ipynb",
        "Kurs/Abgaben/{student}/01-attention/attention.ipynb",
    ],
)
def test_folders_of_any_order_are_understood(found, hand_first, path):
    files = {path.format(student=student): raw(hand_first.filled()) for student in ("ann", "bo")}
    assert mapped(found(files)) == {("ann", "01-attention"), ("bo", "01-attention")}


def test_students_who_are_called_like_lessons_are_students(found, hand, hand_first):
    files = {
        f"{student}/{one.lesson.id}/x.ipynb": raw(one.filled())
        for student in ("1", "Attention")
        for one in (hand, hand_first)
    }
    assert {student for student, _lesson in mapped(found(files))} == {"1", "Attention"}


@pytest.mark.parametrize("how", ["metadata", "first cell", "definitions"])
def test_a_notebook_tells_its_lesson_in_several_ways(found, hand_first, how):
    notebook = hand_first.filled()
    if how != "metadata":
        del notebook.metadata["workbook"]
    if how != "first cell":
        notebook.cells = [cell for cell in notebook.cells if "wb.start" not in cell.source]
    assert mapped(found({"ann/x.ipynb": raw(notebook)})) == {("ann", "01-attention")}


def test_without_a_lesson_the_source_is_refused_with_what_was_expected(found, course, tmp_path):
    result = found({"ann/essay.ipynb": b'{"cells": []}', "bo/photo.jpg": b"\xff\xd8\xff"})
    with pytest.raises(WrongUsage, match="essay.ipynb.*expected are files <student>"):
        require_lessons(result, course.lessons, tmp_path)


PDF = b"%PDF-1.7"


def notes(found) -> dict[str, str]:
    return {row.path: row.note for row in found.rows}


def named(found) -> dict[tuple[str, str], list[str]]:
    """The names of the notebooks, or of what stands for one, of each submission."""
    return {(one.student, one.lesson): [name for name, _ in one.notebooks]
            for one in found.submissions}  # fmt: skip


@pytest.mark.parametrize(
    "path",
    [
        "{lesson}/ann/{file}",
        "{lesson}/Ann Lee_7_assignsubmission_file_/{file}",
        "{lesson}/leeann_12345_678_{file}",
        "inbound/ann+{lesson}+2026-03-01 10:00:00.000001 UTC/{file}",
    ],
    ids=["lessons", "moodle", "canvas", "exchange"],
)
@pytest.mark.parametrize("file", ["attention.py", "my work.zip", "essay.pdf"])
def test_a_notebook_of_one_assignment_hides_nothing_of_another(found, hand, hand_first, path, file):
    content = zipped([("attention.ipynb", hand_first.filled())]) if "zip" in file else PDF
    files = {
        path.format(lesson="00-warm-up", file="warm-up.ipynb"): raw(hand.filled()),
        path.format(lesson="01-attention", file=file): content,
    }
    for lesson, one in (("00-warm-up", hand), ("01-attention", hand_first)):
        # Others, by whom the assignment's lesson is known.
        other = path.replace("ann", "bo").replace("Ann", "Bo").replace("12345", "12346")
        name = lesson[3:] + ".ipynb"
        files[other.format(lesson=lesson, file=name)] = raw(one.filled())
    result = found(files)
    of_ann = {lesson: names for (student, lesson), names in named(result).items()
              if "ann" in student.lower()}  # fmt: skip
    assert of_ann == {
        "00-warm-up": ["warm-up.ipynb"],
        "01-attention": [""] if file == "essay.pdf" else [file],
    }


def test_a_script_beside_the_notebook_of_an_assignment_is_no_submission_of_its_own(
    found, hand, hand_first
):
    zip = Moodle()
    zip.put(AMINA, "attention.ipynb", hand_first.filled())
    helper = zip.put(AMINA, "warm_up.py", b'wb.start("00-warm-up")')
    zip.put(JOSE, "attention.ipynb", hand_first.filled())
    result = found(zip.zip())
    assert mapped(result) == {(AMINA.name, "01-attention"), (JOSE.name, "01-attention")}
    assert notes(result)[helper] == "it is no notebook"


def test_attachments_are_those_of_the_lessons_own_folder(found, hand, hand_first):
    files = {
        "00-warm-up/ann/warm-up.ipynb": raw(hand.filled()),
        "00-warm-up/ann/settings.json": b"0",
        "01-attention/ann/attention.ipynb": raw(hand_first.filled()),
        "01-attention/ann/settings.json": b"1",
        "01-attention/bo/attention.ipynb": raw(hand_first.filled()),
    }
    told = {
        (one.student, one.lesson): {name: read() for name, read in one.attachments.items()}
        for one in found(files).submissions
    }
    assert told == {
        ("ann", "00-warm-up"): {"settings.json": b"0"},
        ("ann", "01-attention"): {"settings.json": b"1"},
        ("bo", "01-attention"): {},
    }


@pytest.mark.parametrize(
    "path",
    [
        "{person}_{n}_assignsubmission_file_/{file}",
        "01-attention/{person}/{file}",
        "{person}/work/{file}",
        "inbound/{person}+01-attention+2026-03-01 10:00:00.000001 UTC/{file}",
    ],
    ids=["moodle", "lessons", "folders", "exchange"],
)
def test_a_number_behind_a_name_is_an_attempt_in_canvas_alone(found, hand_first, path):
    files = {
        path.format(person="Ann", n=7, file="attention.ipynb"): raw(hand_first.filled()),
        path.format(person="Ann", n=7, file="attention-1.ipynb"): raw(hand_first.released),
        path.format(person="Bo", n=8, file="attention.ipynb"): raw(hand_first.filled()),
    }
    result = found(files)
    assert named(result)["Ann", "01-attention"] == ["attention.ipynb", "attention-1.ipynb"]
    assert set(notes(result).values()) == {""}
