"""The report on a class: what went wrong how often, what to look at, on any screen, offline."""

import base64
import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hostile.code import DEEP, SOURCES

from autograder.judging.judge import TestResult
from autograder.lesson.blanks import MARK
from autograder.reports import class_statistics, similarity
from autograder.reports.pages import breakable
from autograder.reports.report import contents, write_report
from autograder.reports.similarity import similar
from autograder.reports.students_code import (
    StudentAnswers,
    examined_once,
    example,
    open_blanks,
    right_blanks,
)
from autograder.results.outdir import read_json
from autograder.results.remarks import Remark
from autograder.results.submission import Marks, SubmissionResult
from autograder.sandbox import bounded_call
from autograder.sandbox.bounded_call import NotFinished
from transformer_workbook import __version__


@pytest.fixture(scope="module")
def component(hand):
    return hand.lesson.components[hand.components[0]]


def outcome(
    name: str, status: str = "passed", points: float = 2.0, mistake: str = ""
) -> TestResult:
    score = points if status == "passed" else 0.0
    return TestResult(name, "test", score, points, status, mistake, "")


def result(hand, student: str, *test_results: TestResult, **more) -> SubmissionResult:
    return SubmissionResult(student, hand.lesson.id, 4.0, test_results, **more)


def test_misconceptions_of_components_that_are_gone_come_last(hand):
    there = hand.components[0]
    test_results = tuple(outcome(name, "failed", 1.0, "some-mistake") for name in ("gone", there))
    found = class_statistics.misconceptions(hand.lesson, [result(hand, "Amina", *test_results)], {})
    assert [row["name"] for row in found] == [there, "gone"]


def test_a_student_in_two_sections_makes_no_third(hand, course, tmp_path):
    sections = ("Group A", "Group B and Group A", "Research and Development", "")
    results = [
        result(hand, f"s{n}", outcome(hand.components[0]), section=section)
        for n, section in enumerate(sections)
    ]
    page = write_report(tmp_path, results, course).read_text(encoding="utf-8")
    options = re.search(r'<option value="">all</option>(.*?)</select>', page)[1]
    found = re.findall("<option>(.*?)</option>", options)
    assert found == ["Group A", "Group B", "Research and Development"]


def test_the_histogram_counts_totals_as_shares_of_all_points(hand):
    name = hand.components[0]
    results = [
        result(hand, "a", outcome(name), outcome(name)),
        result(hand, "b", outcome(name), outcome(name, "failed")),
        result(hand, "c", outcome(name), marks=Marks(prose=1.0, penalty=0.5)),
        result(hand, "d", outcome(name, "grader_fault"), fault="full disk"),
    ]
    found = class_statistics.histogram(hand.lesson, results)
    assert [bar["count"] for bar in found["bars"]] == [0, 0, 0, 0, 0, 1, 1, 0, 0, 1]
    assert (found["count"], found["median"], found["most"]) == (3, "2.5", "4")


def test_totals_out_of_different_points_are_not_mixed(hand):
    name = hand.components[0]
    half = [outcome(name), outcome(name, "failed")]
    heavier = [replace(one, score=2 * one.score, max_score=2 * one.max_score) for one in half]
    results = [
        result(hand, "before", *half),
        replace(result(hand, "after", *heavier), max_score=8.0),
    ]
    found = class_statistics.histogram(hand.lesson, results)
    assert (found["mean"], found["median"], found["most"]) == ("4", "4", "8"), "each has a half"
    (row,) = class_statistics.components(hand.lesson, results)
    assert (row["mean"], row["share"]) == ("4 / 8", 0.5)


def test_what_nobody_tried_is_no_failure(hand):
    name, hunt = hand.components[0], next(one for one in hand.components if "hunt" in one)
    results = [
        result(hand, "a", outcome(name, "missing"), outcome(hunt, "missing")),
        result(hand, "b", outcome(name, "failed"), outcome(hunt)),
    ]
    found = {row["name"]: row for row in class_statistics.components(hand.lesson, results)}
    assert found[name]["counts"] == {"all": 0, "some": 0, "none": 1, "untried": 1}
    assert found[hunt]["counts"] == {"all": 1, "some": 0, "none": 0, "untried": 1}
    assert found[hunt]["title"] == "Bug hunt"
    (test,) = found[name]["tests"]
    assert (test["passed"], test["failed"], test["untried"]) == (0, 1, 1)


def test_each_blank_is_right_a_known_mistake_open_or_unclear(hand, component):
    first, second = component.blanks[:2]
    mistake = next(answer for answer in component.wrong if answer.blank == first.name)
    name = component.name
    sources = {
        "right": component.source,
        "wrong": mistake.source,
        "open": component.released,
        "odd": component.source.replace(first.text, "7", 1),
    }
    results = [
        result(hand, "right", outcome(name)),
        result(hand, "wrong", outcome(name, "failed", mistake=mistake.name)),
        result(hand, "open", outcome(name, "missing")),
        result(hand, "odd", outcome(name, "failed")),
    ]
    answers = {student: StudentAnswers({name: source}) for student, source in sources.items()}
    found = {row["blank"]: row for row in class_statistics.blanks(hand.lesson, results, answers)}
    row = found[first.name]
    assert [row[fate] for fate in ("right", "mistake", "open", "unclear")] == [1, 1, 1, 1]
    row = found[second.name]
    assert [row[fate] for fate in ("right", "mistake", "open", "unclear")] == [3, 0, 1, 0]


def test_blanks_that_share_a_line_are_judged_each_by_itself(course):
    lesson = course.lesson("01-attention")
    component = lesson.components["scaled_dot_product_attention"]
    shared = {name for name, line in component.released_lines.items() if line.count(MARK) > 1}
    assert shared, "choose another component"
    one, *others = [blank for blank in component.blanks if blank.name in shared]
    source = component.source.replace(one.text, "7 + 1", 1)
    assert right_blanks(component, source) == {b.name for b in component.blanks} - {one.name}
    assert others and right_blanks(component, component.released) == set()
    source = component.source.replace(one.text, MARK, 1)
    assert open_blanks(component, source) == {one.name}


def test_the_example_of_a_bug_hunt_shows_the_bug_and_not_its_repair(hand):
    hunt = next(hand.lesson.components[name] for name in hand.components if "hunt" in name)
    mistake = hunt.wrong[0]
    shown = example(hunt, mistake.source.replace(":\n", ':\n    """My own words."""\n', 1))
    assert shown and "…" not in shown and "My own" not in shown
    wrong = {"".join(line.partition("#")[0].split()) for line in mistake.source.splitlines()}
    right = {"".join(line.partition("#")[0].split()) for line in hunt.source.splitlines()}
    lines = {"".join(line.split()).replace("'", '"') for line in shown.splitlines()}
    assert lines <= wrong - right


def test_an_example_shows_the_mistake_and_not_who_made_it(component):
    source = component.wrong[0].source.replace(
        "    return", '    author = "Diego"  # by Diego, 7 May\n    return', 1
    )
    shown = example(component, source)
    assert shown and "Diego" not in shown and "author = '…'" in shown
    assert example(component, "def broken(:") == ""


def test_failures_that_nobody_explains_are_listed_with_what_came_back(hand):
    name = hand.components[0]
    odd = replace(outcome(name, "failed"), message="The shape is (2, 3).")
    results = [result(hand, "a", odd), result(hand, "b", outcome(name, "failed", 2.0, "known"))]
    (row,) = class_statistics.unexplained(hand.lesson, results)
    assert (row["name"], row["count"], row["of"][0]["message"]) == (name, 1, odd.message)


PROSE = (
    "A transposed view shares its storage with the tensor it came from, and only its strides are "
    "exchanged, so nothing at all is copied."
)


@pytest.mark.parametrize(
    ("has_roster", "said"),
    [(True, "Everybody in the roster handed in every lesson that was graded."),
     (False, "Not known: there is no roster.")],
)  # fmt: skip
def test_where_nobody_is_absent_it_is_said_whether_a_roster_tells(
    hand, course, tmp_path, has_roster, said
):
    results = [result(hand, "Amina", outcome(hand.components[0]))]
    path = write_report(tmp_path, results, course, has_roster=has_roster)
    page = path.read_text(encoding="utf-8")
    assert said in page and page.count("roster") == 1


@pytest.mark.parametrize(("count", "said"), [(1, "1 needs a person"), (2, "2 need a person")])
def test_what_is_counted_at_the_top_is_said_in_the_singular_too(
    hand, course, tmp_path, count, said
):
    late = outcome(hand.components[0], "timeout")
    results = [result(hand, f"s{n}", late, marks=Marks(waiting=1)) for n in range(count)]
    page = write_report(tmp_path, results, course).read_text(encoding="utf-8")
    tiles = re.sub(r"<[^>]*>", "", page[page.index('class="tiles"') : page.index("</nav>")])
    assert said in tiles and "0 pairs are alike" in tiles
    assert ("1 answer in prose waits for you" in tiles) == (count == 1)


def test_two_who_share_what_nobody_else_has_are_alike(hand, component):
    own = component.source.replace(
        "    return", "    # I first laid it out on paper\n    return", 1
    )
    helper = "\n    triangle = sum(i * i for i in range(x.size(0)) if i % 3) - x.numel() // 5"
    longer = "\n    limits = {key: max(key, triangle) for key in sorted(set(range(triangle)))}"
    code = own.replace("\n    ", f"{helper}{longer}\n    ", 1)
    renamed = code.replace("triangle", "corner").replace("limits", "edges")
    answers = {
        f"student {n}": StudentAnswers(
            {component.name: component.source}, {"question_1": f"Reason {n}."}
        )
        for n in range(20)
    }
    answers["Amina"] = StudentAnswers({component.name: code}, {"question_1": PROSE})
    answers["Diego"] = StudentAnswers(
        {component.name: renamed}, {"question_1": "Since " + PROSE.lower()}
    )
    found = {(pair.students, pair.kind): pair for pair in similar(hand.lesson, answers).pairs}
    assert found.keys() == {(("Amina", "Diego"), "code"), (("Amina", "Diego"), "prose")}
    assert "only its strides are exchanged" in found[("Amina", "Diego"), "prose"].passage
    assert all(pair.share > 0.8 for pair in found.values())


def test_right_answers_and_known_mistakes_are_alike_by_themselves(hand, component):
    sources = [component.source, *(one.source for one in (*component.right, *component.wrong))]
    answers = {
        f"{number}": StudentAnswers({component.name: source})
        for number, source in enumerate(sources * 2)
    }
    assert similar(hand.lesson, answers).pairs == []


def test_how_it_was_handed_in_is_told(hand, course, tmp_path):
    due = "2026-10-05T22:00:00+00:00"
    one = outcome(hand.components[0])
    several = Remark("repair", "several_alike", {"name": "a.ipynb", "others": "b.ipynb"})
    cut = Remark("repair", "cut", {"file": "a.ipynb", "count": 3})
    results = [
        result(hand, "cut off", one, repairs=(cut,)),
        result(hand, "late", one, submitted="2026-10-07T01:00:00+00:00", due=due,
               marks=Marks(penalty=0.4)),
        result(hand, "marked", one, late=True),
        result(hand, "old", one, version="0.0.1"),
        result(hand, "new", one, version=__version__),
        result(hand, "twice", one, repairs=(several,)),
        result(hand, "gone", problem=Remark("problem", "not_handed_in"), name="Gone Girl"),
        SubmissionResult("stray", "99-nothing", 0.0, problem=Remark("problem", "unknown_lesson",
                                                           {"close": ""})),
    ]  # fmt: skip
    shown = contents(results, course, tmp_path)
    told = {(row["student"], row["kind"]): row["text"] for row in shown["handed_in"]}
    assert told.keys() == {
        ("cut off", "damaged or exported file"),
        ("late", "late"), ("marked", "late"), ("old", "other version"),
        ("twice", "notebooks not graded"), ("stray", "wrong lesson"),
    }  # fmt: skip
    assert told["late", "late"].startswith("1 day 3 hours after the deadline, 2026-10-05 22:00")
    assert "Points taken off: 0.4." in told["late", "late"]
    assert shown["absent"] == [{"lesson": hand.lesson.id, "students": ["Gone Girl (gone)"]}]
    assert [row["student"] for row in shown["for_a_person"]] == ["stray"]
    page = write_report(tmp_path, results, course).read_text()
    assert "bug_hunt" not in page


def test_what_the_lms_calls_late_and_the_deadline_does_not_is_told(hand, course, tmp_path):
    before, due = "2026-10-12T20:00:00+00:00", "2026-10-12T21:59:59+00:00"
    odd = result(hand, "a", outcome(hand.components[0]), late=True, submitted=before, due=due)
    (row,) = contents([odd], course, tmp_path)["handed_in"]
    assert row["kind"] == "late or not" and "came before the deadline here" in row["text"]


def test_what_an_extension_explains_is_no_irregularity(hand, course, tmp_path):
    due = datetime(2026, 10, 12, 21, 59, 59, tzinfo=UTC)
    first, *others = course.lessons
    timed = replace(course, lessons=(replace(first, due=due), *others))
    assert first.id == hand.lesson.id
    one, longer = outcome(hand.components[0]), "2026-10-15T21:59:59+00:00"
    results = [
        result(hand, student, one, late=True, submitted=submitted, due=longer)
        for student, submitted in (
            ("in the extension", "2026-10-14T20:00:00+00:00"),
            ("before both", "2026-10-12T20:00:00+00:00"),
        )
    ]
    rows = contents(results, timed, tmp_path)["handed_in"]
    assert [(row["student"], row["kind"]) for row in rows] == [("before both", "late or not")]


def test_no_script_but_the_reports_own_can_run(hand, course, tmp_path):
    page = write_report(tmp_path, [result(hand, "Amina")], course).read_text()
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hashed}'" in page


def test_what_is_alike_is_found_anew_only_when_an_answer_has_changed(hand, tmp_path, monkeypatch):
    answers = {name: StudentAnswers({}, {"question_1": PROSE}) for name in ("Amina", "Diego")}
    found = similarity.cached_similar(hand.lesson, answers, tmp_path)
    assert [pair.students for pair in found.pairs] == [("Amina", "Diego")]
    monkeypatch.setattr(similarity, "similar", lambda *_: similarity.Similar([], []))
    assert similarity.cached_similar(hand.lesson, answers, tmp_path) == found
    answers["Elif"] = StudentAnswers({}, {"question_1": "Another reason."})
    assert similarity.cached_similar(hand.lesson, answers, tmp_path).pairs == []


# Code that nobody can look into in a short time.


@pytest.mark.parametrize("name", SOURCES)
def test_hostile_code_costs_no_report(hand, component, tmp_path, name):
    answers = {
        "Amina": StudentAnswers({component.name: SOURCES[name]}),
        "Diego": StudentAnswers({}, {"q": PROSE}),
    }
    answers["Elif"] = StudentAnswers({}, {"q": PROSE})
    found = similar(hand.lesson, answers)
    assert [pair.students for pair in found.pairs] == [("Diego", "Elif")]
    assert example(component, SOURCES[name]) == "" or len(SOURCES[name]) < 4000
    assert right_blanks(component, SOURCES[name]) == set()


def test_code_is_examined_once_for_all_runs(hand, component, tmp_path, monkeypatch):
    """In a later run only new code is examined; code that is gone is not remembered."""
    calls = []

    def counted(module, function, arguments):
        calls.append(arguments["source"])
        return call(module, function, arguments)

    call = bounded_call.call
    monkeypatch.setattr(bounded_call, "call", counted)
    saved = tmp_path / "examined" / f"{hand.lesson.id}.json"
    first, second = component.source, f"{component.source}\n# changed"
    shown, sizes = [], []
    for sources in ([first], [first, second], [second]):
        with examined_once(tmp_path, hand.lesson):
            shown.append([sorted(right_blanks(component, source)) for source in sources])
        sizes.append(len(read_json(saved)["results"]))
    assert calls == [first, second]
    assert sizes == [1, 2, 1]
    assert shown[0][0] == shown[1][0] == shown[2][0] != []


def test_code_that_takes_too_long_costs_that_time_once_a_run(
    hand, component, tmp_path, monkeypatch
):
    """It is tried again in the next run, on a machine that may be less busy."""
    calls = []

    def too_long(module, function, arguments):
        calls.append(function)
        raise NotFinished("it took too long")

    monkeypatch.setattr(bounded_call, "call", too_long)
    for count in (1, 2):
        with examined_once(tmp_path, hand.lesson):
            assert right_blanks(component, component.source) == set()
            assert open_blanks(component, component.source) == set()
        assert calls == ["blanks"] * count


def test_who_cannot_be_compared_in_time_is_named(hand, component, course, tmp_path, monkeypatch):
    def too_long(module, function, arguments):
        if "slow" in str(arguments):
            raise NotFinished("it took too long")
        return call(module, function, arguments)

    call = bounded_call.call
    monkeypatch.setattr(bounded_call, "call", too_long)
    answers = {name: StudentAnswers({}, {"q": PROSE}) for name in ("Amina", "Diego")}
    answers["Elif"] = StudentAnswers({component.name: "slow = 1"})
    found = similarity.cached_similar(hand.lesson, answers, tmp_path)
    assert [pair.students for pair in found.pairs] == [("Amina", "Diego")]
    assert found.left_out == ["Elif"]


def test_those_who_hide_behind_code_that_nobody_can_parse_are_compared(hand, component):
    own = "".join(f"\n    t{n} = x.roll({n}) * {n + 7} // {3 * n + 1}" for n in range(20))
    code = component.source.replace("\n    ", f"{own}\n    ", 1) + f"\n{DEEP}"
    answers = {name: StudentAnswers({component.name: code}) for name in ("Amina", "Diego")}
    released = StudentAnswers({component.name: component.released + "\n)"})
    answers |= {f"student {number}": released for number in range(2)}
    (pair,) = similar(hand.lesson, answers).pairs
    assert pair.students == ("Amina", "Diego")


def test_names_break_behind_underscores():
    assert str(breakable("scale_<b>_shift")) == "scale_<wbr>&lt;b&gt;_<wbr>shift"
