"""Reads the times at which something was handed in, as nbgrader and LMSs write them."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from dateutil import tz
from dateutil.parser import parse

from autograder.lesson.deadlines import YEARS

_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}")  # no path to a file
# Hours from UTC of zones that the database of zones does not call so. Left out are names that
# several countries use, such as CST, IST, BST and PST: no time is better than a wrong one.
_HOURS = {
    "WEST": 1, "CEST": 2, "MESZ": 2, "EEST": 3, "MSK": 3, "SAST": 2,
    "EDT": -4, "MDT": -6, "PDT": -7, "AKST": -9, "AKDT": -8,
    "JST": 9, "KST": 9, "AWST": 8, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}  # fmt: skip
_ALSO_CALLED = {"MEZ": "CET"}
_NUMBERS = re.compile(r"\s*(\d{1,2})[/.-](\d{1,2})[/.-](?:\d{2}){1,2}\b")


def utc(text: str) -> str:
    """A time as ISO 8601 in UTC, such as 2026-03-01T11:59:30+00:00; empty if it is none of YEARS.

    nbgrader writes `2026-03-01 11:59:30.482913 UTC`, or another name of a time zone in place of
    UTC. A time without a zone is in UTC, as nbgrader's are; one in a zone that is not known, or is
    ambiguous, is none. Raises nothing, whatever the text is.
    """
    text = text.strip()
    time, _space, zone = text.rpartition(" ")
    try:
        if zone_info := _zone(zone) if _ZONE.fullmatch(zone) else None:
            moment = parse(time).replace(tzinfo=zone_info)
        else:
            moment = parse(text, tzinfos=_zone_in_text)
        return _in_utc(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except Exception:  # students write these, and dateutil raises more than it says
        return ""


def _zone(name: str) -> tzinfo | None:
    """The time zone of this name, or of this abbreviation; None where it is not known."""
    name = _ALSO_CALLED.get(name.upper(), name)
    if name.upper() in _HOURS:
        return timezone(timedelta(hours=_HOURS[name.upper()]))
    zone: tzinfo | None = tz.gettz(name)
    return zone


def _zone_in_text(name: str | None, offset: int | None) -> tzinfo | None:
    """The zone that dateutil found in a text. Raises ValueError: dateutil would take it for UTC."""
    if offset is not None:
        return timezone(timedelta(seconds=offset))
    zone = _zone(name) if name else None
    if name and not zone:
        raise ValueError(name)
    return zone


def local_utc(text: str, timezone: tzinfo | None = None, dayfirst: bool = False) -> str:
    """A time that an LMS writes for the reader, without a zone: it is in the course's time zone.

    Without one, it is taken to be in this machine's. `dayfirst` tells whether 12/10/2026 is in
    October. Empty and without exceptions as for `utc`.
    """
    try:
        moment = parse(text.strip(), ignoretz=True, dayfirst=dayfirst)
        return _in_utc(moment.replace(tzinfo=timezone))
    except Exception:
        return ""


def is_day_first(texts: Iterable[str]) -> bool | None:
    """Whether dates such as 12/10/2026 begin with the day, where one of the texts tells.

    None where they may begin with either; False where no date is of this kind.
    """
    dates = [(int(date[1]), int(date[2])) for text in texts if (date := _NUMBERS.match(text))]
    may_begin_with_day = all(second <= 12 for _first, second in dates)
    may_begin_with_month = all(first <= 12 for first, _second in dates)
    if may_begin_with_day and may_begin_with_month:
        return None if any(first != second for first, second in dates) else False
    return may_begin_with_day


def _in_utc(time: datetime) -> str:
    """The moment as `utc` writes it. Raises what conversions raise."""
    moment = time.astimezone(UTC).replace(microsecond=0)
    return moment.isoformat() if moment.year in YEARS else ""
