"""course.toml: deadlines, what lateness costs, points, and keys that nobody knows."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from autograder.errors import AuthoringError
from autograder.lesson.deadlines import DAY, LatePolicy, points_off


@pytest.fixture
def with_lines(toy):
    """The toy course with more lines at the end of course.toml, or more in its lesson's."""

    def write(lines: str = "", lesson: str = "", top: str = ""):
        path = toy.root / "autograder" / "course.toml"
        text = path.read_text().replace('title = "Toy" }', f'title = "Toy"{lesson} }}')
        key = top.partition(" = ")[0] or "none"
        others = [line for line in text.splitlines() if not line.startswith(key)]
        path.write_text("\n".join([top, *others, lines, ""]))
        return toy.course()

    return write


@pytest.mark.parametrize(
    ("due", "zone", "moment"),
    [
        ('"2026-10-05 23:59"', "Europe/Berlin", datetime(2026, 10, 5, 21, 59, tzinfo=UTC)),
        ('"2026-12-05"', "Europe/Berlin", datetime(2026, 12, 5, 22, 59, 59, tzinfo=UTC)),
        ('"2026-10-05T23:59:00+02:00"', "", datetime(2026, 10, 5, 21, 59, tzinfo=UTC)),
        ("2026-10-05T23:59:00Z", "Europe/Berlin", datetime(2026, 10, 5, 23, 59, tzinfo=UTC)),
        ("2026-10-05", "UTC", datetime(2026, 10, 5, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_a_deadline_is_a_moment(with_lines, due, zone, moment):
    top = f'timezone = "{zone}"' if zone else ""
    assert with_lines(lesson=f", due = {due}", top=top).lessons[0].due == moment


@pytest.mark.parametrize(
    ("lesson", "top", "says"),
    [
        (', due = "5 October"', "", "00-toy: due is '5 October'; expected a moment"),
        (', due = "2026-10-05 23:59"', "", "without an offset; add one such as +02:00"),
        (', due = "2026-10-05"', 'timezone = "Berlin"', "timezone is 'Berlin'; expected a name"),
        (', deu = "2026-10-05"', "", "lessons 00-toy: not known: 'deu' Was due meant?"),
        (", limit = 0", "", "limit is 0; expected that it must be bigger than 0"),
        (', beyond = "yes"', "", "beyond is 'yes'; expected that it must be boolean"),
        ("", 'titel = "x"', "not known: 'titel' Was title meant?"),
        ("", "late = 10", "late is 10; expected that it must be object"),
        ("", "late = { percent_a_day = 10 }", "Was percent_per_day meant?"),
        ("", "late = { percent_per_day = 110 }", "is 110; expected that it must be smaller than"),
        ("", "points = { 00-toy = 3 }", "points 00-toy is 3; expected that it must be object"),
        ("", "title = 3", "title is 3; expected that it must be string"),
        ("", 'branch = "a b"', "branch is 'a b'; expected a name that git takes"),
        ("", 'repository = "git@a.b:c"', "is 'git@a.b:c'; expected an address such as"),
        ("", 'repository = "https://a.b/c.git"', "is 'https://a.b/c.git'; expected an"),
        ("", 'lessons = ["00-toy"]', "lessons 1 is '00-toy'; expected that it must be object"),
        ("", "points = { 00-toi = { } }", "points: '00-toi' is not known. Was 00-toy meant?"),
    ],
)
def test_what_cannot_be_meant_says_what_was_expected(with_lines, lesson, top, says):
    with pytest.raises(AuthoringError) as error:
        with_lines(lesson=lesson, top=top)
    assert says in str(error.value)


def test_lateness_costs_for_each_day_that_has_begun():
    policy = LatePolicy(percent_per_day=10, at_most_percent=50, grace_minutes=15)
    hour = 60 * 60
    late = [0, 15 * 60, 15 * 60 + 1, DAY, DAY + 1, 30 * DAY]
    assert [policy.percent(seconds) for seconds in late] == [0, 0, 10, 10, 20, 50]
    assert points_off(7.5, policy.percent(2 * hour)) == 0.75
    assert LatePolicy().percent(30 * DAY) == 0


@pytest.mark.parametrize(
    ("handed_in", "days"),
    [("10-25T00:10+02:00", 1), ("10-25T23:30+01:00", 1), ("10-26T00:10+01:00", 2)],
)
def test_the_day_on_which_the_clocks_change_is_one_day(handed_in, days):
    policy = LatePolicy(percent_per_day=10, timezone=ZoneInfo("Europe/Berlin"))
    due = datetime.fromisoformat("2026-10-24T23:59:59+02:00")
    late = datetime.fromisoformat(f"2026-{handed_in}") - due
    assert policy.percent(late.total_seconds(), due.astimezone(UTC).isoformat()) == 10 * days


def test_after_the_last_day_nothing_is_earned():
    policy = LatePolicy(percent_per_day=10, closed_after_days=7)
    assert policy.percent(7 * DAY) == 70
    assert policy.percent(timedelta(days=7, seconds=1).total_seconds()) == 100
    assert "More than 7 days after the deadline, no points" in policy.text


def test_a_component_gets_other_points_and_its_tests_keep_their_shares(with_lines, toy):
    before = toy.course().lessons[0]
    component = next(iter(before.components))
    own = {test.name: test.points for test in before.hidden("x")[component]}
    lesson = with_lines(f"[points.00-toy]\n{component} = {10 * sum(own.values())}").lessons[0]
    now = {test.name: test.points for test in lesson.hidden("x")[component]}
    assert now == pytest.approx({name: 10 * points for name, points in own.items()})
    assert lesson.points()[component] == pytest.approx(10 * sum(own.values()))


def test_one_test_and_one_question_get_other_points(with_lines, toy):
    before = toy.course().lessons[0]
    component = next(iter(before.components))
    test = before.hidden("x")[component][0].name
    question = before.questions[0].name
    lines = f'[points.00-toy]\n{component} = {{ "{test}" = 0 }}\n{question} = 7'
    lesson = with_lines(lines).lessons[0]
    assert lesson.hidden("x")[component][0].points == 0
    assert lesson.questions[0].points == 7


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nothing = 3", "points.00-toy: 'nothing' is not known"),
        ("{component} = -1", "is -1; expected a number of points, 0 or more"),
        ("{component} = {{ nothing = 1 }}", "'nothing' is not known"),
    ],
)
def test_points_of_nothing_are_errors(with_lines, toy, line, says):
    component = next(iter(toy.course().lessons[0].components))
    lesson = with_lines("[points.00-toy]\n" + line.format(component=component)).lessons[0]
    with pytest.raises(AuthoringError, match=says):
        lesson.hidden("x")
