"""A student's request for a regrade: its evidence, its decision, and what the student reads."""

import csv
import json
import shutil

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.errors import WrongUsage
from autograder.grading.regrades import read_requests, regrades_in
from autograder.nbgrader.settings import configure_results
from autograder.nbgrader.state import State

from ..lms.term import Term, summary

pytestmark = pytest.mark.xdist_group("golden")
HEADER = "student,lesson,part,asked,request,points,answer\n"


@pytest.fixture(scope="module")
def graded(hand, tmp_path_factory) -> Term:
    """Amina has all right; Diego made a known mistake, and handed in on 12 October."""
    term = Term(tmp_path_factory.mktemp("regrades"))
    hand.put(term.folder / "in", "amina", hand.filled())
    path = hand.put(term.folder / "in", "diego", hand.wrong(hand.components[0]))
    path.with_name("timestamp.txt").write_text("2026-10-12 09:00:00 UTC")
    assert term.grade("in") == 0, term.said
    return term


@pytest.fixture
def term(graded, tmp_path) -> Term:
    shutil.copytree(graded.folder, tmp_path / "term")
    return Term(tmp_path / "term")


def ask(term: Term, *rows: str) -> None:
    (term.out / "regrades.csv").write_text(HEADER + "".join(f"{row}\n" for row in rows))


def feedback(term: Term, hand, student="diego") -> str:
    path = term.out / "feedback" / student / hand.lesson.id / f"{hand.lesson.name}.html"
    return path.read_text()


def total(term: Term, hand, student="diego") -> float:
    """The total of the summary, after making sure that the other results have the same."""
    found = float(summary(term.out)[student, hand.lesson.id]["total"])
    assert f'class="score">{found:g} of ' in feedback(term, hand, student)
    with Gradebook(f"sqlite:///{term.out / 'gradebook.db'}") as gradebook:
        assert gradebook.find_submission(hand.lesson.id, student).score == pytest.approx(found)
    assert term.export("json") == 0
    rows = json.loads(term.read("grades.json"))
    assert [row["total"] for row in rows if row["student"] == student] == [found]
    return found


def below(term: Term) -> str:
    return term.said.partition("Gradebook")[2]


def test_an_open_request_stands_beside_its_evidence(term, hand):
    part, before = hand.components[0], total(term, hand)
    ask(term, f"diego,00,{part},2026-10-14,<b>My</b> result has the right shape.,,")
    assert term.grade("in") == 0
    assert "1 request for a regrade waits for you" in below(term)
    page = (term.out / "regrades.html").read_text()
    assert "&lt;b&gt;My&lt;/b&gt; result has the right shape." in page
    code = hand.lesson.components[part].wrong[0].source.strip().splitlines()[-1].strip()
    assert code.replace("'", "&#39;") in page
    with open(term.out / "grades.csv", newline="") as file:
        rows = [one for one in csv.DictReader(file) if one["student"] == "diego"]
    failed = next(one for one in rows if one["component"] == part and one["status"] != "passed")
    assert failed["test"] in page and f'class="status {failed["status"]}"' in page
    assert "It is not decided yet." in feedback(term, hand)
    assert total(term, hand) == before
    tile = '<a class="tile" href="regrades.html"><b>1</b> request for a regrade waits'
    assert tile in (term.out / "report.html").read_text()


def test_a_decision_reaches_every_result_and_the_student_reads_before_and_after(term, hand):
    part, before = hand.components[0], total(term, hand)
    most = hand.lesson.points()[part]
    ask(term, f"diego,00,{part},,Please look.,{most},You are right.")
    assert term.grade("in") == 0
    assert "Recorded scores that changed: 1. None of them dropped." in term.said
    after = total(term, hand)
    assert after > before
    said = feedback(term, hand)
    for text in (
        "Please look.",
        "You are right.",
        f"{most - after + before:g} before, {most:g} now.",
    ):
        assert text in said
    assert "Please look." not in feedback(term, hand, "amina")
    assert "No request waits" in (term.out / "regrades.html").read_text()
    assert "regrades.html" not in (term.out / "report.html").read_text()
    pages = {path: path.read_bytes() for path in (term.out / "feedback").rglob("*.html")}
    assert term.grade("in") == 0 and "Scores that change" not in term.said
    assert total(term, hand) == after
    assert pages == {path: path.read_bytes() for path in (term.out / "feedback").rglob("*.html")}


def test_nbgraders_own_feedback_shows_requests_and_decisions_too(term, hand):
    """Else `grade` would not restore them: all that its page shows would be as before."""
    part = hand.components[0]
    (term.out / "roster.csv").write_text("id,name\ndiego,Diego Ruiz\namina,Amina Khan\n")
    ask(
        term,
        f"Diego Ruiz,00,{part},,Please look.,1,Half.",
        f"amina,00,{part},,And mine?,,",
        "nobody,00,nothing,,A wrong row costs only itself.,,",
    )
    term.grade("in")
    before = {one: shown(term, hand, one) for one in ("diego", "amina")}
    assert "Half." in before["diego"] and "And mine?" in before["amina"]
    config = Config()
    configure_results(config, term.out)
    directory = CourseDirectory(config=config)
    directory.assignment_id = hand.lesson.id
    GenerateFeedback(directory, config=config, force=True).start()
    assert {one: shown(term, hand, one) for one in before} == before


def shown(term: Term, hand, student: str) -> str:
    text = BeautifulSoup(feedback(term, hand, student), "html.parser").get_text(" ")
    return " ".join(text.split())


def test_a_decision_that_takes_points_is_asked_about(term, hand):
    part, before = hand.components[0], total(term, hand, "amina")
    ask(term, f"amina,00,{part},,Is mine right?,0,No: it is torch's own.")
    assert term.grade("in") == 1 and "1 of them downwards" in term.said
    assert total(term, hand, "amina") == before
    assert term.grade("in", yes=True) == 0
    assert total(term, hand, "amina") == before - hand.lesson.points()[part]


def test_a_decision_that_is_not_recorded_is_told_to_the_instructor_alone(term, hand):
    part, most = hand.components[0], hand.lesson.points()[hand.components[0]]
    ask(term, f"amina,00,{part},,Is mine right?,0,Sorry: less.")
    assert term.grade("in") == 1 and "1 of them downwards" in term.said
    said = feedback(term, hand, "amina")
    assert "Is mine right?" in said and "It is not decided yet." in said
    assert "Sorry" not in said and "as before" not in said
    page = (term.out / "regrades.html").read_text()
    assert "Decided, but not recorded" in page and "<h2>Decided</h2>" not in page
    assert f"Sorry: less. Points: {most:g} now, 0 decided." in page
    assert term.grade("in", yes=True) == 0
    assert f"Points: {most:g} before, 0 now." in feedback(term, hand, "amina")
    ask(term, f"amina,00,{part},,Is mine right?,{most:g},You are right.")
    assert term.grade("in") == 0
    ask(term, f"amina,00,{part},,Is mine right?,1,Sorry: half.")
    assert term.grade("in") == 1
    said = feedback(term, hand, "amina")
    assert "Sorry" not in said and f"Points: {most:g}, as before." in said
    assert (
        f"Sorry: half. Points: {most:g} now, 1 decided." in (term.out / "regrades.html").read_text()
    )


def test_an_answer_alone_leaves_the_points(term, hand):
    before = total(term, hand)
    ask(term, f"diego,00,{hand.components[0]},,Please look.,,The test is right.")
    assert term.grade("in") == 0 and "waits for you: " not in below(term)
    assert "as before." in feedback(term, hand) and total(term, hand) == before


def test_an_answer_is_markdown_as_a_comment_is_and_a_request_is_text(term, hand):
    ask(term, f"diego,00,{hand.components[0]},,*Please* <b>look</b>.,,Your `reshape` is **right**.")
    assert term.grade("in") == 0
    page = (term.out / "feedback/diego" / hand.lesson.id / f"{hand.lesson.name}.html").read_text()
    assert "<p>Your <code>reshape</code> is <strong>right</strong>.</p>" in page
    assert "*Please* &lt;b&gt;look&lt;/b&gt;." in page


def test_a_decision_on_prose_marks_the_answer(term, hand):
    question, before = hand.lesson.questions[0], total(term, hand)
    ask(term, f"diego,00,{question.name},,I said so.,{question.points:g},Yes.")
    assert term.grade("in") == 0 and total(term, hand) == before + question.points
    assert "I said so." in feedback(term, hand)


def test_points_given_in_formgrader_later_stay_and_are_told(term, hand):
    part = hand.components[0]
    ask(term, f"diego,00,{part},,Please look.,1,Half.")
    assert term.grade("in") == 0
    with Gradebook(f"sqlite:///{term.out / 'gradebook.db'}") as gradebook:
        place = (hand.lesson.name, hand.lesson.id, "diego")
        gradebook.find_grade(f"test_{part}", *place).manual_score = 2
        gradebook.db.commit()
    assert term.grade("in") == 0
    assert "diego was given 1 points for" in below(term) and "then 2 in formgrader" in below(term)
    assert "2 now." in feedback(term, hand)
    total(term, hand)


def test_what_was_decided_outlives_new_work_and_is_told(term, hand):
    part = hand.components[0]
    ask(term, f"diego,00,{part},2026-10-13,Please look.,1,Half.")
    assert term.grade("in") == 0
    path = hand.put(term.folder / "in", "diego", hand.filled())
    path.with_name("timestamp.txt").write_text("2026-10-20 09:00:00 UTC")
    assert term.grade("in") == 0
    assert "was graded again after" in below(term) and "the 1 points decided stay" in below(term)
    points = sum(hand.lesson.points().values())
    assert total(term, hand) == points - hand.lesson.points()[part] + 1


@pytest.mark.parametrize("left", ["no row", "no points", "no file"])
def test_points_whose_row_gives_none_any_more_stay_and_are_told(term, hand, left):
    part = hand.components[0]
    ask(term, f"diego,00,{part},,Please look.,1,Half.")
    assert term.grade("in") == 0 and "no longer gives" not in below(term)
    after = total(term, hand)
    ask(term, *([f"diego,00,{part},,Please look.,,Half."] if left == "no points" else []))
    if left == "no file":
        (term.out / "regrades.csv").unlink()
    assert term.grade("in") == 0
    said = " ".join(below(term).split())
    assert (
        f"regrades.csv no longer gives diego the 1 points for {part} of {hand.lesson.id} that were "
        "decided; they stay. To take them back, write other points there." in said
    )
    assert total(term, hand) == after
    ask(term, f"diego,00,{part},,Please look.,0,Half.")
    assert term.grade("in", yes=True) == 0 and "no longer gives" not in below(term)
    assert total(term, hand) == after - 1


def test_work_that_came_after_the_request_is_told(term, hand):
    ask(term, f"diego,00,{hand.components[0]},2026-10-01,Please look.,,")
    assert term.grade("in") == 0
    assert "handed in 00-warm-up after asking" in below(term)
    assert "handed in after the request" in (term.out / "regrades.html").read_text()


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_run_that_stops_between_keeps_what_was_there_before(
    term, hand, monkeypatch, is_committed
):
    part, most = hand.components[0], hand.lesson.points()[hand.components[0]]
    ask(term, f"diego,00,{part},,Please look.,{most},Yes.")
    put = State.put

    def stop(state, gradebook, kind, *rest):
        put(state, gradebook, kind, *rest)
        if kind == "regrades":
            if is_committed:
                gradebook.db.commit()
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(State, "put", stop)
        with pytest.raises(KeyboardInterrupt):
            term.grade("in")
    assert term.grade("in") == 0
    assert f"{most:g} now." in feedback(term, hand) and "as before" not in feedback(term, hand)


def test_wrong_rows_are_told_at_the_end_and_cost_only_themselves(term, hand):
    part = hand.components[0]
    ask(
        term,
        f"diega,00,{part},,Please.,,",
        f"diego,00-warmpu,{part},,Please.,,",
        f"diego,00,{part[:-1]},,Please.,,",
        f"diego,00,{part},,Please.,99,",
        f"diego,00,{part},2026-10-1,Please.,,",
        f"diego,00,{part},,,1,",
        "diego,01,scaled_dot_product_attention,,Please.,1,",
        f"diego,00,{part},,Please.,1,Half.",
        f"diego,warm-up,{part},,And again.,,",
    )
    before = total(term, hand)
    assert term.grade("in") == 1
    for says in (
        "row 2: no student is called 'diega'. Was diego meant?",
        "row 3: there is no lesson '00-warmpu'. Was 00-warm-up meant?",
        f"Was {part} meant?",
        f"row 5: points is '99'; expected those that {part} has from now on, from 0 to",
        "row 6: asked is '2026-10-1'",
        "row 7: diego asks nothing",
        "row 8: diego has no graded work of 01-attention",
        "row 10: diego asks for",
    ):
        assert says in below(term), says
    assert total(term, hand) > before


@pytest.mark.parametrize("form", ["semicolons", "another order"])
def test_a_spreadsheets_file_is_taken_as_it_is(term, hand, form):
    part = hand.components[0]
    text = f"Student;Lesson;Part;Request;Points\ndiego;0;test_{part};Please look.;1,5\n"
    if form == "another order":
        text = f"Timestamp,request,part,lesson,points,student\nx,Please,{part},warm-up,1.5,diego\n"
    (term.out / "regrades.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert term.grade("in") == 0 and "1.5 now." in feedback(term, hand)


@pytest.mark.parametrize("text", ["", "who,what\n", "student,lesson,request\n"])
def test_a_table_that_is_none_of_requests_is_refused(term, text):
    (term.out / "regrades.csv").write_text(text)
    with pytest.raises(WrongUsage, match="expected the columns student, lesson, part, request"):
        term.grade("in")


def test_of_namesakes_none_is_picked(course, tmp_path):
    rows = "jsmit,00,split_heads,Please.\nsmith john,00,split_heads,Please.\n"
    (tmp_path / "regrades.csv").write_text("student,lesson,part,request\n" + rows)
    students = ["akhan", "jsmith", "jsmith2"]
    wrong = regrades_in(read_requests(tmp_path), course, students, lambda _given: "").wrong
    assert [says.partition(". Was ")[2] for says in wrong] == ["jsmith or jsmith2 meant?"] * 2


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_wrong_row_has_the_number_that_a_spreadsheet_gives_it(course, tmp_path, end):
    rows = ["student,lesson,part,request", "", ",,,", 'diego,00,split_heads,"two\nlines"',
            "nobody,00,split_heads,Please.", "diego,0,split_heads,Again."]  # fmt: skip
    (tmp_path / "regrades.csv").write_bytes("".join(f"{row}{end}" for row in rows).encode())
    found = regrades_in(read_requests(tmp_path), course, ["diego"], lambda _given: "")
    assert [row.request for row in found.rows] == ["two\nlines"]
    assert [row.line for row in found.rows] == [4]
    assert "row 5: no student is called 'nobody'" in found.wrong[0]
    assert "row 6: diego asks for" in found.wrong[1] and "in row 4 already" in found.wrong[1]


def test_a_table_that_csv_cannot_be_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "regrades.csv").write_text(f"{HEADER}diego,00,{'x' * 200_000},,Please.,,\n")
    with pytest.raises(WrongUsage, match=r"regrades\.csv is no CSV \(field larger than"):
        read_requests(tmp_path)
