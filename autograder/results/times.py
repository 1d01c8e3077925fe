"""Reads the times at which something was handed in, as nbgrader and LMSs write them."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo

from dateutil import tz
from dateutil.parser import parse

# A year outside of these is a mistake or a joke; at the ends of the calendar, other programs, and
# conversions to a time zone, raise.
YEARS = range(2000, 2101)
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}")  # no path to a file
_NUMBERS = re.compile(r"\s*(\d{1,2})[/.-](\d{1,2})[/.-](?:\d{2}){1,2}\b")


def utc(text: str) -> str:
    """A time as ISO 8601 in UTC, such as 2026-03-01T11:59:30+00:00; empty if it is none of YEARS.

    nbgrader writes `2026-03-01 11:59:30.482913 UTC`, or another name of a time zone in place of
    UTC. A time without a zone is in UTC, as nbgrader's are. Raises nothing, whatever the text is.
    """
    text = text.strip()
    time, _space, zone = text.rpartition(" ")
    try:
        if known := tz.gettz(zone) if _ZONE.fullmatch(zone) else None:
            found = parse(time).replace(tzinfo=known)
        else:
            found = parse(text)
        return _in_utc(found if found.tzinfo else found.replace(tzinfo=UTC))
    except Exception:  # students write these, and dateutil raises more than it says
        return ""


def local_utc(text: str, timezone: tzinfo | None = None, dayfirst: bool = False) -> str:
    """A time that an LMS writes for the reader, without a zone: it is in the course's time zone.

    Without one, it is taken to be in this machine's. `dayfirst` tells whether 12/10/2026 is in
    October. Empty and without exceptions as for `utc`.
    """
    try:
        found = parse(text.strip(), ignoretz=True, dayfirst=dayfirst)
        return _in_utc(found.replace(tzinfo=timezone))
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


def _in_utc(found: datetime) -> str:
    """The moment as `utc` writes it. Raises what conversions raise."""
    moment = found.astimezone(UTC).replace(microsecond=0)
    return moment.isoformat() if moment.year in YEARS else ""
