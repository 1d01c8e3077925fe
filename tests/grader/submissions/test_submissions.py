"""Whatever lies in a folder of submissions, each has its outcome, and none stops the others."""

import io
import os
import stat
import tarfile
import zipfile

import pytest
from the_course import COURSE

from autograder.errors import WrongUsage
from autograder.lesson.which_lesson import OVERLAP, Lessons
from autograder.results.remarks import Problem
from autograder.results.submission import SubmissionResult
from autograder.submissions import collected_folder, rows
from autograder.submissions.collect import collect as collect_all

LESSONS = COURSE.lessons[:2]


def collect(root, lessons, only_lesson="", only_student=""):
    return collect_all(root, lessons).only(only_student, only_lesson, root).submissions


def write(root, path, content=b"{}"):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def read(submission):
    (_, pieces), *_ = submission.notebooks
    return b"".join(pieces())


def outcome(submission):
    """The bytes of the notebook of the right name or the only one, or the key of what is wrong."""
    try:
        return read(submission)
    except Problem as problem:
        return problem.remark.key


def only(root, **wanted):
    (found,) = collect(root, LESSONS, **wanted)
    return found


@pytest.mark.parametrize("name", ["warm-up (1).ipynb", "Copy of warm-up.ipynb", "WARM.IPYNB"])
def test_a_renamed_notebook_counts_when_it_is_the_only_one(tmp_path, name):
    write(tmp_path, f"anna/00-warm-up/{name}", b"x")
    found = only(tmp_path)
    assert outcome(found) == b"x"
    assert [remark.key for remark in found.repairs] == ["renamed"]


def test_of_several_notebooks_the_right_name_comes_first(tmp_path):
    for name in ("a", "warm-up", "warm-up (1)"):
        write(tmp_path, f"anna/00-warm-up/{name}.ipynb", name.encode())
    notebooks = only(tmp_path).notebooks
    assert [name for name, _ in notebooks] == ["warm-up.ipynb", "a.ipynb", "warm-up (1).ipynb"]
    assert [b"".join(pieces()) for _, pieces in notebooks] == [b"warm-up", b"a", b"warm-up (1)"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-03-01 11:59:30.482913 UTC", "2026-03-01T11:59:30+00:00"),
        ("2026-03-01 03:59:30.482913 America/Los_Angeles", "2026-03-01T11:59:30+00:00"),
        ("yesterday", ""),
    ],
)
def test_the_time_that_nbgrader_puts_beside_a_submission_is_its_own(tmp_path, written, meant):
    write(tmp_path, "anna/00-warm-up/warm-up.ipynb")
    write(tmp_path, "anna/00-warm-up/timestamp.txt", written.encode())
    assert only(tmp_path).submitted == meant


def test_a_folder_full_of_notebooks_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(collected_folder, "MOST_NOTEBOOKS", 3)
    for number in range(4):
        write(tmp_path, f"anna/00-warm-up/{number}.ipynb")
    assert outcome(only(tmp_path)) == "too_many_notebooks"


def test_what_systems_leave_behind_is_no_submission(tmp_path):
    write(tmp_path, "anna/00-warm-up/warm-up.ipynb", b"x")
    write(tmp_path, "anna/00-warm-up/.ipynb_checkpoints/warm-up-checkpoint.ipynb")
    write(tmp_path, "anna/.DS_Store")
    write(tmp_path, "__MACOSX/anna/00-warm-up/warm-up.ipynb")
    assert outcome(only(tmp_path)) == b"x"


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("anna/01-atention/attention.ipynb", "unknown_lesson"),
        ("anna/00-warm-up/notes.txt", "no_notebook"),
        ("anna/essay.ipynb", "stray"),
    ],
)
def test_what_is_odd_has_a_row_of_its_own(tmp_path, path, key):
    write(tmp_path, path)
    assert outcome(only(tmp_path)) == key


def test_a_misspelt_lesson_is_told_its_name(tmp_path):
    write(tmp_path, "anna/01-atention/attention.ipynb")
    with pytest.raises(Problem, match="01-attention"):
        read(only(tmp_path))


def test_an_empty_folder_is_reported(tmp_path):
    (tmp_path / "anna").mkdir()
    (tmp_path / "bea" / "00-warm-up").mkdir(parents=True)
    found = collect(tmp_path, LESSONS)
    assert [outcome(one) for one in found] == ["no_lesson", "no_notebook"]
    for one in found:
        with pytest.raises(Problem) as raised:
            read(one)
        result = SubmissionResult(one.student, one.lesson, 1.0, problem=raised.value.remark)
        assert result.status == "missing"


def test_no_link_is_followed(tmp_path):
    secret = write(tmp_path, "elsewhere/secret.ipynb", b"secret")
    root = tmp_path / "submitted"
    (root / "a" / "00-warm-up").mkdir(parents=True)
    (root / "a" / "00-warm-up" / "warm-up.ipynb").symlink_to(secret)
    (root / "b").mkdir()
    (root / "b" / "00-warm-up").symlink_to(secret.parent, target_is_directory=True)
    (root / "c").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert [outcome(one) for one in collect(root, LESSONS)] == ["link"] * 3


def test_a_file_that_becomes_a_link_after_it_was_listed_is_not_followed(tmp_path):
    secret = write(tmp_path, "secret.ipynb", b"secret")
    file = write(tmp_path, "submitted/anna/00-warm-up/warm-up.ipynb")
    found = only(tmp_path / "submitted")
    file.unlink()
    file.symlink_to(secret)
    assert outcome(found) == "unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_does_not_block(tmp_path):
    (tmp_path / "anna" / "00-warm-up").mkdir(parents=True)
    os.mkfifo(tmp_path / "anna" / "00-warm-up" / "warm-up.ipynb")
    assert outcome(only(tmp_path)) == "no_file"


def test_a_huge_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "LARGEST_FILE", 2**20)
    write(tmp_path, "anna/00-warm-up/warm-up.ipynb", bytes(2**20 + 1))
    assert outcome(only(tmp_path)) == "too_large"


def test_one_lesson_or_one_student_can_be_chosen(tmp_path):
    for path in ("a/00-warm-up/warm-up", "a/01-attention/attention", "b/00-warm-up/warm-up"):
        write(tmp_path, f"{path}.ipynb")
    assert only(tmp_path, only_lesson="01-attention").student == "a"
    assert only(tmp_path, only_student="b").lesson == "00-warm-up"
    with pytest.raises(WrongUsage, match="no student 'c'"):
        collect(tmp_path, LESSONS, only_student="c")


def test_a_wrong_path_is_one_clear_line(tmp_path):
    write(tmp_path, "class/anna/00-warm-up/warm-up.ipynb")
    (tmp_path / "empty").mkdir()
    for path, says in [
        ("nowhere", "is not there"),
        ("empty", "holds no submission"),
        ("class/anna", "one student's folder"),
        ("class/anna/00-warm-up/warm-up.ipynb", "neither a folder nor a zip"),
    ]:
        with pytest.raises(WrongUsage, match=says) as raised:
            collect(tmp_path / path, LESSONS)
        assert "\n" not in str(raised.value)


def zipped(tmp_path, entries) -> str:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def tarred(tmp_path, entries, mode="w", link="") -> str:
    path = tmp_path / "class.tar"
    with tarfile.open(path, mode) as archive:
        for name, content in entries.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content.encode()))
        if link:
            info = tarfile.TarInfo(link)
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(info)
    return path


@pytest.mark.parametrize("mode", ["", "w", "w:gz", "w:bz2", "w:xz"])
@pytest.mark.parametrize("wrapped", ["", "Submissions of week 3/"])
def test_an_archive_is_read_like_a_folder(tmp_path, wrapped, mode):
    entries = {f"{wrapped}{s}/00-warm-up/warm-up.ipynb": s for s in ("anna", "bea")}
    path = tarred(tmp_path, entries, mode) if mode else zipped(tmp_path, entries)
    found = collect(path, LESSONS)
    assert [(one.student, outcome(one)) for one in found] == [("anna", b"anna"), ("bea", b"bea")]


def test_a_link_in_a_tar_has_a_row_and_no_content(tmp_path):
    anna, cem = (f"{student}/00-warm-up/warm-up.ipynb" for student in ("anna", "cem"))
    path = tarred(tmp_path, {anna: "anna"}, link=cem)
    assert [outcome(one) for one in collect(path, LESSONS)] == [b"anna", "link"]


@pytest.mark.parametrize("mode", ["", "w", "w:gz", "w:bz2", "w:xz"])
def test_of_a_download_that_broke_off_is_said_that_it_did(tmp_path, mode):
    entries = {"anna/00-warm-up/warm-up.ipynb": "1" * 30_000}
    path = tarred(tmp_path, entries, mode) if mode else zipped(tmp_path, entries)
    path.write_bytes(path.read_bytes()[:-40] if mode != "w" else path.read_bytes()[:3000])
    with pytest.raises(WrongUsage, match="class.*download broke off.*download it again"):
        collect(path, LESSONS)


def test_a_zip_that_does_not_say_how_names_are_encoded_is_read_as_macos_writes_it(tmp_path):
    path = zipped(tmp_path, {"Zo--/00-warm-up/warm-up.ipynb": b"zoe", "a\u00e7.txt": b"is said"})
    path.write_bytes(path.read_bytes().replace(b"Zo--", "Zo\u00eb".encode()))
    assert [(one.student, outcome(one)) for one in collect(path, LESSONS)] == [("Zo\u00eb", b"zoe")]
    path.write_bytes(path.read_bytes().replace("Zo\u00eb".encode(), b"Zo\x89\x89"))
    assert [one.student for one in collect(path, LESSONS)] == ["Zo\u00eb\u00eb"], "of old Windows"


@pytest.mark.parametrize(("name", "encoding"), [("Jos\u00e9", "cp1252"), ("\u674e\u660e", "GBK")])
def test_names_in_a_zip_are_read_in_the_likeliest_encoding_and_it_is_said(tmp_path, name, encoding):
    there, odd = "#" * len(name.encode(encoding)), name.encode(encoding)
    path = zipped(tmp_path, {f"{there}/00-warm-up/warm-up.ipynb": b"it", "bea/00/x.ipynb": b"{}"})
    path.write_bytes(path.read_bytes().replace(there.encode(), odd))
    rows = {row.student: row.note for row in collect_all(path, LESSONS).rows}
    assert rows == {name: f"its name was read as {encoding}: the archive does not tell", "bea": ""}


def test_nothing_of_a_zip_leaves_its_place(tmp_path):
    bad = {
        "../../outside/00-warm-up/warm-up.ipynb": "x",
        "/absolute/00-warm-up/warm-up.ipynb": "x",
        "anna/../../x/00-warm-up/warm-up.ipynb": "x",
        "anna/00-warm-up/warm-up.ipynb": "good",
    }
    before = sorted(tmp_path.rglob("*"))
    deep = "/".join(["anna", "00-warm-up", *["d"] * 50, "x.ipynb"])
    bad |= {deep: "x", "anna/00-warm-up/a": "x", "anna/00-warm-up/a/x.ipynb": "x"}
    found = collect_all(path := zipped(tmp_path, bad), LESSONS)
    assert [(one.student, outcome(one)) for one in found.submissions] == [("anna", b"good")]
    assert sorted(tmp_path.rglob("*")) == sorted([*before, path])
    assert {row.path for row in found.rows} == bad.keys(), "each has a row"


def test_a_zip_bomb_and_a_link_in_a_zip_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(rows, "LARGEST_FILE", 2**20)
    link = zipfile.ZipInfo("bea/00-warm-up/warm-up.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = zipped(tmp_path, {"anna/00-warm-up/warm-up.ipynb": bytes(2**24), link: "/etc/passwd"})
    found = collect(path, LESSONS)
    assert [outcome(one) for one in found] == ["too_large", "link"]


def test_a_damaged_entry_of_a_zip_costs_one_submission(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("anna/00-warm-up/warm-up.ipynb", "A" * 100)
        archive.writestr("bea/00-warm-up/warm-up.ipynb", "B" * 100)
    (tmp_path / "class.zip").write_bytes(buffer.getvalue().replace(b"A" * 100, b"C" * 100))
    found = collect(tmp_path / "class.zip", LESSONS)
    assert [outcome(one) for one in found] == ["unreadable", b"B" * 100]


def test_a_folder_that_cannot_be_read_is_not_said_to_be_empty(tmp_path, monkeypatch):
    write(tmp_path, "anna/00-warm-up/warm-up.ipynb")
    write(tmp_path, "ben/00-warm-up/warm-up.ipynb")
    usual, closed = os.scandir, set()

    def scandir(folder):
        if folder in closed:
            raise PermissionError(13, os.strerror(13))
        return usual(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    for folder in (tmp_path / "anna/00-warm-up", tmp_path / "anna"):
        closed.add(folder)
        anna, ben = collect(tmp_path, LESSONS)
        assert outcome(anna) == "folder_unreadable" and outcome(ben) == b"{}"
    closed.add(tmp_path)
    with pytest.raises(WrongUsage, match="cannot be read"):
        collect(tmp_path, LESSONS)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_is_unpacked_within_bounds_only(tmp_path, method):
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("anna/00-warm-up/warm-up.ipynb", b"0" * 1000)
    assert outcome(only(path)) == "unreadable"


def test_attachments_come_from_the_folder_that_the_notebook_comes_from(tmp_path):
    for student in ("anna", "bea"):
        write(tmp_path, f"{student}/00-warm-up/unpacked/warm-up.ipynb")
        write(tmp_path, f"{student}/00-warm-up/unpacked/settings.json", b"its own")
        write(tmp_path, f"{student}/00-warm-up/another/settings.json", b"another's")
        write(tmp_path, f"{student}/00-warm-up/another/vocabulary.json", b"another's")
    write(tmp_path, "bea/00-warm-up/warm-up.ipynb")
    anna, bea = collect(tmp_path, COURSE.lessons)
    assert {name: read() for name, read in anna.attachments.items()} == {
        "settings.json": b"its own"
    }
    assert not bea.attachments, "her notebook is not in the folder"


def test_a_script_with_as_much_of_two_lessons_is_of_the_earlier_one():
    known, owned = Lessons(LESSONS), {}
    for lesson in reversed(LESSONS):
        for component in lesson.components.values():
            if known.of_content([b"def %s(" % component.defines.encode()]) == lesson.id:
                owned.setdefault(lesson.id, component.defines)
    assert set(owned) == {lesson.id for lesson in LESSONS}
    # Sets have another order in each process, so here the order is turned round.
    for names in (owned.values(), reversed(owned.values())):
        pieces = [f"def {name}(x):\n".encode().ljust(2 * OVERLAP) for name in names]
        assert known.of_content(pieces) == LESSONS[0].id
