"""Reads the times at which something was handed in, as nbgrader and LMSs write them."""

from datetime import UTC, datetime, tzinfo

from dateutil import tz
from dateutil.parser import ParserError, parse


def utc(text: str) -> str:
    """A time as ISO 8601 in UTC, such as 2026-03-01T11:59:30+00:00; empty if it is no time.

    nbgrader writes `2026-03-01 11:59:30.482913 UTC`, or another name of a time zone in place of
    UTC. A time without a zone is in UTC, as nbgrader's are.
    """
    text = text.strip()
    time, _space, zone = text.rpartition(" ")
    try:
        if known := tz.gettz(zone) if zone and not zone[0].isdigit() else None:
            found = parse(time).replace(tzinfo=known)
        else:
            found = parse(text)
    except (ParserError, OverflowError, ValueError):
        return ""
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    return str(found.astimezone(UTC).replace(microsecond=0).isoformat())


def moment(text: str) -> datetime | None:
    """The same as a moment that can be compared; None where there is none."""
    return datetime.fromisoformat(text) if text else None


def local_utc(text: str, timezone: tzinfo | None = None) -> str:
    """A time that an LMS writes for the reader, without a zone: it is in the course's time zone.

    Without one, it is taken to be in this machine's.
    """
    try:
        found = parse(text.strip(), ignoretz=True)
    except (ParserError, OverflowError, ValueError):
        return ""
    found = found.replace(tzinfo=timezone)
    return str(found.astimezone(UTC).replace(microsecond=0).isoformat())
