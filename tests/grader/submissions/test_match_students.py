"""Whatever students and folders are called, nothing is deleted, and nobody is taken for another."""

import io
import unicodedata
from pathlib import Path, PurePosixPath

import pytest
from rich.console import Console

from autograder.commands.collect import collect_command as collect_into
from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.errors import WrongUsage
from autograder.lms.read_roster import read_roster
from autograder.results import outdir
from autograder.results.outdir import require_apart
from autograder.results.remarks import Problem
from autograder.results.safe_names import UnsafeName, below, is_safe_name, safe_file_name, safe_name
from autograder.results.submission import SubmissionResult
from autograder.submissions.collect import collect

from ..conftest import SEED

NFC, NFD = (unicodedata.normalize(form, "José") for form in ("NFC", "NFD"))
STARTS = b'wb.start("00-warm-up")'


# What a name can do to a folder.


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../work", "a/b", "/", "/etc", "a\0b", "./a", "a/", "//a"]
)
def test_a_path_is_made_of_one_component_for_each_name_or_not_at_all(tmp_path, name):
    for names in ((name,), ("feedback", name), (name, "01-attention")):
        for folder in (tmp_path, Path("feedback"), PurePosixPath()):
            with pytest.raises(UnsafeName, match="expected one file or folder for each"):
                below(folder, *names)
    assert below(tmp_path, "feedback", " ..", "a\\b") == tmp_path / "feedback" / " .." / "a\\b"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Zoë 李", "Zoë 李"),
        ("..", "\\x2e."),
        (" .", "\\x2e"),
        ("\u00a0..\u00a0", "\\x2e."),
        (" ../work", "\\x2e.\\x2fwork"),
        (".hidden", "\\x2ehidden"),
        ("..\\..\\x", "\\x2e.\\x5c..\\x5cx"),
        (" ", "unnamed"),
        ("", "unnamed"),
        ("a\x07b", "a\\x07b"),
        ("a\\x07b", "a\\x07b"),
        ("__MACOSX", "\\x5f_MACOSX"),
        ("\x0e\u0301", "\\x0e\\u0301"),
        (NFD, NFC),
    ],
)
def test_any_text_has_a_safe_name_that_stays_as_it_is(text, name):
    assert safe_name(text) == name == safe_name(name)
    assert is_safe_name(name)


def test_a_name_that_was_shortened_stays_and_a_file_keeps_its_suffix():
    for text in ("x" * 400, "李" * 200, "\x07" * 90, "é" * 119 + "\\x5"):
        short = safe_name(text)
        assert safe_name(short) == short and len(short.encode()) <= 240
        file = safe_file_name(f"{text}.ipynb")
        assert safe_file_name(file) == file and file.endswith(".ipynb") and len(file.encode()) < 255
    assert safe_name("x" * 400) != safe_name("x" * 401)


def test_a_long_name_of_a_file_can_be_written(tmp_path):
    path = tmp_path / ("ж" * 120 + ".html")
    outdir.replace_file(path, "page")
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


# Grading.


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def two_weeks(hand, tmp_path_factory) -> tuple[Path, set[str], list[SubmissionResult]]:
    """OUT, its files after the first week, and the results of a second week of odd folders."""
    folder = tmp_path_factory.mktemp("weeks")
    first, second, out = folder / "first", folder / "second", folder / "out"
    hand.put(first, "Amina", hand.filled())
    hand.put(first, "Bao", hand.filled())
    grade(Request(first, out, sandbox="none", secret=SEED, jobs=1))
    before = files(folder)
    hand.put(second, "Bao", hand.filled())
    for name in ("Amina", " ..", " .", "\u00a0..\u00a0", " ", "\u00a0", " ../work", "Bao/ .."):
        (second / name).mkdir(parents=True, exist_ok=True)
    (second / "Bao/x-" / ("ж" * 110)).parent.mkdir()
    (second / ("Bao/x-" + "ж" * 110)).mkdir()
    results = grade(Request(second, out, sandbox="none", secret=SEED, jobs=1, yes=True))
    return folder, before, results


def test_no_name_and_no_empty_folder_deletes_anything(two_weeks):
    folder, before, _results = two_weeks
    lost = {path for path in before - files(folder) if not path.startswith("out/work/")}
    assert not lost
    assert (folder / "out/feedback/Amina/00-warm-up/warm-up.html").is_file()
    assert (folder / "out/nbgrader/autograded/Amina/00-warm-up/warm-up.ipynb").is_file()
    assert {"seed", "gradebook.db", "work"} <= {one.name for one in (folder / "out").iterdir()}


def test_folders_with_odd_names_have_their_rows_and_pages(two_weeks):
    folder, _before, results = two_weeks
    students = {result.student for result in results}
    assert len(students) == 7 and {"Amina", "Bao"} <= students
    for result in results:
        page = folder / "out" / result.page
        assert page.is_file() and len(page.relative_to(folder / "out").parts) == 4


# Who is whom.


def written(root: Path, names, content=b"{}") -> Path:
    for name in names:
        path = root / name / "00-warm-up" / "warm-up.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(content or name.encode())
    return root


def contents(found) -> dict[str, bytes]:
    """What counts of each student."""
    return {
        one.student: b"".join(read()) for one in found.submissions for _name, read in one.notebooks
    }


@pytest.mark.parametrize(
    ("names", "keeps"),
    [
        (("Ann", "Ann "), "Ann"),
        (("Ann", "\u00a0Ann"), "Ann"),
        (("Ann ", " Ann"), ""),
        ((NFC, NFD), NFC),
        (("\u00c5sa", "A\u030asa", "\u212bsa"), "\u00c5sa"),
        ((" ", "\u00a0"), ""),
    ],
)
def test_folders_that_look_alike_stay_apart_and_are_told(course, tmp_path, names, keeps):
    found = collect(written(tmp_path, names, b""), course.lessons)
    of = {raw.decode(): student for student, raw in contents(found).items()}
    assert of.keys() == {*names} and len({*of.values()}) == len(names)
    assert [raw for raw, student in of.items() if student == keeps] == [keeps] * bool(keeps)
    others = {student for raw, student in of.items() if raw != keeps}
    assert found.unknown.keys() == others
    for student in others:
        assert "only in spaces, case or the form of letters" in found.unknown[student]
        assert any(other in found.unknown[student] for other in {*of.values()} - {student})


def test_one_name_in_another_form_in_another_run_is_the_same_student(course, tmp_path):
    for number, name in enumerate((NFC, NFD, f"{NFC} ")):
        found = collect(written(tmp_path / str(number), [name]), course.lessons)
        assert contents(found).keys() == {NFC} and not found.unknown


def test_a_name_of_its_own_is_the_same_in_each_run(course, tmp_path):
    first = collect(written(tmp_path / "1", ["Ann", "Ann "]), course.lessons)
    second = collect(written(tmp_path / "2", ["Ann", " Ann", "Ann ", "Zoe"]), course.lessons)
    assert contents(first).keys() < contents(second).keys()
    (other,) = contents(first).keys() - {"Ann"}
    names = ["Ann", "Ann ", other]
    taken = collect(written(tmp_path / "3", names, b""), course.lessons)
    assert contents(taken)[other] == other.encode() and len(contents(taken)) == 3


def test_names_in_upper_and_lower_case_stay_two_students(course, tmp_path):
    found = collect(written(tmp_path, ["ann", "Ann"], b""), course.lessons)
    assert contents(found) == {"ann": b"ann", "Ann": b"Ann"} and not found.unknown


@pytest.fixture
def roster(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("id,name,email\ns1,José Li,jose@uni.example\ns2,Ann Lee,\n", encoding="utf-8")
    return read_roster(path)


@pytest.mark.parametrize(
    ("names", "keeps"),
    [
        (("s1", "S1"), "s1"),
        (("s1", "s1 ", "José Li"), "s1"),
        (("José Li", "jose li"), ""),
        (("jose@uni.example", "JOSE@uni.example"), ""),
    ],
)
def test_of_those_whom_the_roster_takes_for_one_only_the_exact_one_has_its_id(
    course, tmp_path, roster, names, keeps
):
    found = collect(written(tmp_path / "class", names, b""), course.lessons, roster=roster)
    of = {raw.decode(): student for student, raw in contents(found).items()}
    assert len({*of.values()}) == len(names)
    assert [raw for raw, student in of.items() if student == "s1"] == [keeps] * bool(keeps)
    assert found.unknown.keys() == {*of.values()} - {"s1"}
    for reason in found.unknown.values():
        assert "is graded as a student of its own" in reason


def test_one_who_is_called_by_an_id_is_meant_though_others_have_an_address_like_it(
    course, tmp_path
):
    path = tmp_path / "roster.csv"
    path.write_text("id,name,email\namina,Amina Khan,a1@uni.example\na2,Amina Li,amina@x.example\n")
    source = written(tmp_path / "class", ["amina"])
    found = collect(source, course.lessons, roster=read_roster(path))
    assert [*contents(found)] == ["amina"] and not found.unknown


def test_nobody_is_taken_for_the_roster_s_student_by_an_escape(course, tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("id\na\\x07\n", encoding="utf-8")
    source = written(tmp_path / "class", ["a\x07"])
    (student,) = contents(collect(source, course.lessons, roster=read_roster(path)))
    assert student.startswith("a\\x07 ") and not read_roster(path).by_id.keys() & {student}


def test_one_who_hands_in_several_files_stays_one(course, tmp_path):
    for name in ("ann_lee_00.ipynb", "01-ann_lee.ipynb", "bo - warm-up.ipynb", "bo - 01.ipynb"):
        (tmp_path / name).write_bytes(b"{}")
    found = collect(tmp_path, course.lessons)
    assert {one.student for one in found.submissions} == {"ann lee", "bo"} and not found.unknown


def test_users_of_the_exchange_are_told_apart_by_what_it_calls_them(course, tmp_path):
    time = "2026-03-01 10:00:00.000001 UTC"
    for name in ("s1", " s1"):
        for lesson in ("00-warm-up", "01-attention"):
            path = tmp_path / "inbound" / f"{name}+{lesson}+{time}" / "x.ipynb"
            path.parent.mkdir(parents=True)
            path.write_bytes(b"{}")
    found = collect(tmp_path, course.lessons)
    assert len(found.submissions) == 4
    assert len({one.student for one in found.submissions}) == 2 and len(found.unknown) == 1


def test_where_the_disk_ignores_case_the_run_stops_and_names_both(tmp_path, monkeypatch, hand):
    require_apart(tmp_path, ["ann", "Ann", "ann"])  # this one does not, or there is one Ann
    assert not [*tmp_path.iterdir()]
    monkeypatch.setattr(outdir, "_ignores_case", lambda folder: True)
    require_apart(tmp_path, ["ann", "bo", "ann"])
    with pytest.raises(WrongUsage, match="'ann' and 'Ann' differ only in upper and lower case"):
        require_apart(tmp_path, ["ann", "bo", "Ann"])
    submitted = tmp_path / "submitted"
    for name in ("ann", "Ann"):
        hand.put(submitted, name, b"{")
    with pytest.raises(WrongUsage, match="Rename one of them"):
        grade(Request(submitted, tmp_path / "out", sandbox="none", secret=SEED, jobs=1))
    with pytest.raises(WrongUsage, match="Rename one of them"):
        collect_into(submitted, tmp_path / "folder", None, Console(file=io.StringIO()))


def test_a_disk_that_ignores_case_is_noticed(tmp_path, monkeypatch):
    usual = Path.touch
    monkeypatch.setattr(
        Path, "touch", lambda path, **how: usual(path.with_name(path.name.lower()), **how)
    )
    assert outdir._ignores_case(tmp_path) and not [*tmp_path.iterdir()]


def test_bytes_that_are_no_text_in_a_name_stop_nothing(course, tmp_path):
    name = b"\xff.ipynb".decode(errors="surrogateescape")
    try:
        (tmp_path / "source").mkdir()
        (tmp_path / "source" / name).write_bytes(STARTS)
    except (OSError, UnicodeEncodeError):
        pytest.skip("this file system takes text alone")
    (tmp_path / "source" / "ann_00.ipynb").write_bytes(STARTS)
    found = collect(tmp_path / "source", course.lessons)
    assert all(one.original.encode() for one in found.submissions)
    folder = tmp_path / "collected"
    assert collect_into(tmp_path / "source", folder, None, Console(file=io.StringIO())) == 0
    assert (folder / "collected.csv").read_text(encoding="utf-8").count("\\udcff") >= 1


def test_a_problem_has_a_page_whatever_its_lesson_is_called():
    for lesson in ("", safe_name(" .."), safe_name("x-../y")):
        result = SubmissionResult("Ann", lesson, 0.0, problem=Problem("no_lesson").remark)
        assert len(result.page.parts) == 4
