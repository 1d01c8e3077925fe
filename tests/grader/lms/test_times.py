"""Times come from whom they can be believed of, and no text that stands for one stops a run."""

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.lms.read_roster import read_roster
from autograder.results.times import is_day_first, local_utc, utc

from .zips import AMINA, JOSE, Canvas, Moodle, raw

ZONES = [None, ZoneInfo("UTC"), ZoneInfo("Pacific/Kiritimati"), ZoneInfo("America/Los_Angeles")]
ENDS = [
    "9999-12-31T23:59:59-10:00",
    "9999-12-31 23:59:59.999999 America/Los_Angeles",
    "0001-01-01T00:00:00+10:00",
    "0001-01-01 00:00:00 Pacific/Kiritimati",
    "1999-12-31T23:59:59+00:00",
    "2000-01-01T00:30:00+01:00",  # 1999 in UTC
    "2101-01-01T00:00:00+00:00",
    "2100-12-31T23:30:00-01:00",
    "2026-03-01 10:00 /etc/localtime",
    "2026-03-01 10:00 ../../../etc/localtime",
    "2026-03-01T10:00:00+99:99",
    "2026-03-01 10:00 A99999999",
]
TEXTS = st.text(max_size=40) | st.lists(
    st.sampled_from([
        "0001", "9999", "2026", "-", ":", ".", " ", "T", "12", "31", "+14:00", "-99:59", "UTC",
        "EST5EDT", "AM", "Monday", "January", "\0", "\u0661", "1e999", "nan", "/etc/localtime",
    ]),
    max_size=9,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("text", ENDS)
def test_what_is_no_time_of_this_century_is_none(text):
    assert utc(text) == ""


def test_the_first_and_the_last_moment_are_believed():
    assert utc("2000-01-01T00:00:00+00:00") == "2000-01-01T00:00:00+00:00"
    assert utc("2100-12-31T23:59:59+00:00") == "2100-12-31T23:59:59+00:00"


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("text", ["Friday, 31 December 9999, 11:59 PM", "0001-01-01 00:01", "-"])
def test_a_worksheet_with_no_time_is_read(text, zone):
    assert local_utc(text, zone) == ""


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from(ZONES))
def test_no_text_in_the_place_of_a_time_raises(text, zone):
    for found in (utc(text), local_utc(text, zone)):
        assert not found or 2000 <= datetime.fromisoformat(found).year <= 2100


STAMPS = ["2026-03-01 10:00 UTC", "9999-12-31T23:59:59-10:00"]


@pytest.mark.parametrize("stamp", STAMPS)
def test_an_attachment_takes_no_lateness_away_and_gives_no_time(found, hand_first, stamp):
    zip = Canvas()
    zip.put(AMINA, "attention.ipynb", hand_first.filled(), late=True)
    zip.put(AMINA, "timestamp.txt", stamp.encode(), late=True)
    (one,) = found(zip.zip()).submissions
    assert (one.late, one.submitted) == (True, "")


@pytest.mark.parametrize("folders", [True, False])
@pytest.mark.parametrize("stamp", STAMPS)
def test_in_moodle_the_worksheet_alone_tells_the_time(found, hand_first, tmp_path, stamp, folders):
    zip = Moodle(folders=folders)
    for person in (AMINA, JOSE):
        zip.put(person, "attention.ipynb", hand_first.filled())
        zip.put(person, "timestamp.txt", stamp.encode())
    assert {one.submitted for one in found(zip.zip()).submissions} == {""}
    path = tmp_path / "sheet.csv"
    path.write_text(zip.worksheet([JOSE], {JOSE: "1 day"}), encoding="utf-8")
    by_student = {one.student: one for one in found(zip.zip(), read_roster(path)).submissions}
    assert by_student[JOSE.email].submitted.startswith("2026-03-0") and by_student[JOSE.email].late


def test_in_the_exchange_the_folder_alone_tells_the_time(found, hand_first):
    result = found(
        {
            f"inbound/{student}+01-attention+{time}/{name}": content
            for student, time in (
                ("s1", "2026-03-01 10:00:00.000001 UTC"),
                ("s2", "9999-12-31 23:59:59.000001 America/Los_Angeles"),
            )
            for name, content in (
                ("attention.ipynb", raw(hand_first.filled())),
                ("timestamp.txt", b"2026-02-01 10:00:00.000001 UTC"),
            )
        }
    )
    assert {one.student: one.submitted for one in result.submissions} == {
        "s1": "2026-03-01T10:00:00+00:00", "s2": ""
    }  # fmt: skip


def test_beside_files_that_students_named_no_time_is_believed(found, hand_first):
    result = found(
        {
            "Attention/Ann Lee - attention.ipynb": raw(hand_first.filled()),
            "Attention/Bo Li - attention.ipynb": raw(hand_first.filled()),
            "Attention/Ann Lee - timestamp.txt": b"2026-02-01",
            "Attention/timestamp.txt": b"2026-02-01",
        }
    )
    assert [one.submitted for one in result.submissions] == ["", ""]


@pytest.mark.parametrize(
    ("zone", "expected"),
    [("UTC", "2026-11-16T17:59:00+00:00"), ("Europe/Berlin", "2026-11-16T16:59:00+00:00")],
)
def test_times_of_a_worksheet_are_in_the_time_zone_of_the_course(zone, expected):
    assert local_utc("Monday, 16 November 2026, 5:59 PM", ZoneInfo(zone)) == expected


@pytest.mark.parametrize(
    ("times", "is_so"),
    [
        (["12/10/2026 23:59", "-"], None),
        (["12/10/2026 23:59", "13/10/2026 00:02"], True),
        (["13.10.26 00:02", "12.10.26 23:59"], True),
        (["12/10/2026 23:59", "12/13/2026 0:02"], False),
        (["10/10/2026 23:59"], False),  # either is the same day
        (["Monday, 12 October 2026, 5:59 PM", "2026-10-12 17:59"], False),
        ([], False),
    ],
)
def test_whether_days_come_before_months_is_what_all_dates_together_tell(times, is_so):
    assert is_day_first(times) is is_so


def test_a_worksheet_resaved_with_days_first_has_the_days_it_had():
    assert local_utc("12/10/2026 23:59", ZoneInfo("UTC"), True) == "2026-10-12T23:59:00+00:00"
    assert local_utc("12/10/2026 23:59", ZoneInfo("UTC")) == "2026-12-10T23:59:00+00:00"


def test_a_timestamp_of_one_lesson_tells_nothing_of_another(found, hand, hand_first):
    files = {
        "00-warm-up/ann/warm-up.ipynb": raw(hand.filled()),
        "00-warm-up/ann/timestamp.txt": b"2026-03-01 10:00 UTC",
        "01-attention/ann/attention.ipynb": raw(hand_first.filled()),
        "01-attention/bo/in a folder/attention.ipynb": raw(hand_first.filled()),
        "01-attention/bo/old/timestamp.txt": b"2026-03-01 10:00 UTC",
        "01-attention/bo/timestamp.txt": b"2026-03-08 10:00 UTC",
    }
    assert {(one.student, one.lesson): one.submitted for one in found(files).submissions} == {
        ("ann", "00-warm-up"): "2026-03-01T10:00:00+00:00",
        ("ann", "01-attention"): "",
        ("bo", "01-attention"): "2026-03-08T10:00:00+00:00",
    }


def test_of_several_folders_of_a_student_the_time_is_that_of_the_notebook(found, hand_first):
    files = {
        "01-attention/ann/draft/timestamp.txt": b"2026-03-01 10:00 UTC",
        "01-attention/ann/work/attention.ipynb": raw(hand_first.filled()),
        "01-attention/bo/attention.ipynb": raw(hand_first.filled()),
    }
    assert [one.submitted for one in found(files).submissions] == ["", ""]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-10-13 09:30 CEST", "2026-10-13T07:30:00+00:00"),
        ("2026-10-13 09:30 cest", "2026-10-13T07:30:00+00:00"),
        ("2026-10-13 09:30CEST", "2026-10-13T07:30:00+00:00"),
        ("2026-10-13 09:30 MESZ", "2026-10-13T07:30:00+00:00"),
        ("2026-12-13 09:30 CET", "2026-12-13T08:30:00+00:00"),
        ("2026-12-13 09:30 MEZ", "2026-12-13T08:30:00+00:00"),
        ("2026-10-13 09:30 EDT", "2026-10-13T13:30:00+00:00"),
        ("2026-12-13 09:30 EST", "2026-12-13T14:30:00+00:00"),
        ("2026-10-13 09:30 PDT", "2026-10-13T16:30:00+00:00"),
        ("2026-10-13 09:30 AEST", "2026-10-12T23:30:00+00:00"),
        ("2026-10-13 09:30 GMT", "2026-10-13T09:30:00+00:00"),
        ("2026-10-13T09:30Z", "2026-10-13T09:30:00+00:00"),
        ("Tuesday, 13 October 2026, 9:30 PM", "2026-10-13T21:30:00+00:00"),
        # Several countries have a zone of this name, or none has.
        ("2026-10-13 09:30 CST", ""),
        ("2026-10-13 09:30 IST", ""),
        ("2026-10-13 09:30 BST", ""),
        ("2026-10-13 09:30 CETS", ""),
        ("2026-10-13 09:30CETS", ""),
        ("2026-10-13 09:30 Europe/Berln", ""),
    ],
)
def test_a_zone_is_the_one_that_is_named_or_none(monkeypatch, written, meant):
    monkeypatch.setattr(time, "tzname", ("UTC", "UTC"))
    assert utc(written) == meant


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_timestamp_is_read_as_editors_save_it(found, hand, encoding):
    files = {
        f"{student}/00-warm-up/{name}": content
        for student in ("ann", "bo")
        for name, content in (
            ("warm-up.ipynb", raw(hand.filled())),
            ("timestamp.txt", "2026-10-13 09:30 CEST\r\n".encode(encoding)),
        )
    }
    assert {one.submitted for one in found(files).submissions} == {"2026-10-13T07:30:00+00:00"}


@pytest.mark.parametrize("path", ["{}/00-warm-up", "00-warm-up/{}"])
def test_a_timestamp_that_tells_no_time_has_a_remark(found, hand, path):
    files = {}
    for student, stamp in (("ann", "2026-10-13 09:30 Europe/Berln"), ("bo", "2026-10-13 09:30")):
        files[f"{path.format(student)}/warm-up.ipynb"] = raw(hand.filled())
        files[f"{path.format(student)}/timestamp.txt"] = stamp.encode()
    result = found(files)
    assert [one.submitted for one in result.submissions] == ["", "2026-10-13T09:30:00+00:00"]
    ((where, student, note, counts),) = [
        (row.path, row.student, row.note, row.counts) for row in result.rows if row.note
    ]
    assert (where, student) == (f"{path.format('ann')}/timestamp.txt", "ann") and not counts
    assert note.startswith("no time can be read in it; expected one such as 2026-")
    assert result.is_told, "by grade, too"


def test_attempts_stay_in_order_where_the_zone_of_their_times_is_not_known(
    found, hand, monkeypatch
):
    monkeypatch.setattr(time, "tzname", ("UTC", "UTC"))
    result = found({
        f"s1+00-warm-up+2026-03-0{day} 10:00:00.000001 IST/warm-up.ipynb": raw(notebook)
        for day, notebook in ((1, hand.filled()), (2, hand.released))
    })  # fmt: skip
    (one,) = result.submissions
    assert one.submitted == "" and "2026-03-02" in one.original
    assert [row.note for row in result.rows] == ["an earlier attempt", ""]
