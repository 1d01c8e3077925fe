"""When lessons are due, and what lateness costs: `due`, `timezone` and `late` of course.toml.

A deadline is a moment: a date and time with its offset, or one in the course's time zone. A date
alone means the end of that day.
"""

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.errors import AuthoringError
from autograder.language import _, ngettext

DAY = 24 * 60 * 60  # seconds
# A year outside of these is a mistake or a joke; at the ends of the calendar, other programs, and
# conversions to a time zone, raise.
YEARS = range(2000, 2101)
END_OF_DAY = time(23, 59, 59)


@dataclass(frozen=True)
class LatePolicy:
    """What is taken off for lateness; nothing by default.

    Within `grace_minutes` nothing is. After them, each day that has begun since the deadline costs
    `percent_per_day` of what was earned, up to `at_most_percent`. After `closed_after_days`, all is
    lost. A day ends by the clocks of `timezone`: where they change, it has 23 or 25 hours.
    """

    percent_per_day: float = 0.0
    at_most_percent: float = 100.0
    grace_minutes: float = 0.0
    closed_after_days: float = math.inf
    timezone: tzinfo | None = None

    def percent(self, seconds_late: float, due: str = "") -> float:
        """The percentage that so many seconds after the deadline cost.

        `due` is the deadline as ISO 8601; where it is not known, days have 24 hours.
        """
        if seconds_late <= self.grace_minutes * 60:
            return 0.0
        days = self._days(seconds_late, due)
        if days > self.closed_after_days:
            return 100.0
        return min(max(1, math.ceil(days)) * self.percent_per_day, self.at_most_percent)

    def _days(self, seconds_late: float, due: str) -> float:
        """Days by the clock on the wall."""
        if due and self.timezone:
            moment = datetime.fromisoformat(due).astimezone(UTC)
            ends = (moment, moment + timedelta(seconds=seconds_late))
            before, after = (end.astimezone(self.timezone).replace(tzinfo=None) for end in ends)
            seconds_late = (after - before).total_seconds()
        return seconds_late / DAY

    @property
    def text(self) -> str:
        """The policy in a sentence or two, for students; empty where lateness costs nothing."""
        said = []
        if self.percent_per_day:
            said.append(
                _("Each day that has begun after the deadline costs {percent:g} % of the points "
                  "earned, up to {most:g} %.").format(
                      percent=self.percent_per_day, most=self.at_most_percent)
            )  # fmt: skip
        if self.grace_minutes and (said or self.closed_after_days < math.inf):
            count = round(self.grace_minutes)
            grace = ngettext(
                "The first {count} minute costs nothing.",
                "The first {count} minutes cost nothing.",
                count,
            )
            said.append(grace.format(count=count))
        if self.closed_after_days < math.inf:
            said.append(
                _("More than {days:g} days after the deadline, no points are given.").format(
                    days=self.closed_after_days
                )
            )
        return " ".join(said)


def points_off(earned: float, percent: float) -> float:
    """So many percent of what was earned, with two decimals."""
    return round(earned * percent / 100, 2)


def read_timezone(file: Path, name: object) -> tzinfo | None:
    """The course's time zone; None where course.toml names none. Raises AuthoringError."""
    if name is None:
        return None
    try:
        return ZoneInfo(str(name))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise AuthoringError(
            _("{file}: timezone is {name!r}; expected a name such as Europe/Berlin or UTC"),
            file=file, name=name,
        ) from error  # fmt: skip


def moment_of(text: str) -> datetime:
    """The moment that a text such as "2026-10-05 18:30" names; a date alone is the end of that day.

    Raises ValueError.
    """
    if len(text) == len("2026-10-05"):
        return datetime.combine(date.fromisoformat(text), END_OF_DAY)
    return datetime.fromisoformat(text)


def read_due(where: str, value: object, timezone: tzinfo | None) -> datetime | None:
    """A deadline, from a text or from TOML's own dates; None for an empty one.

    Raises AuthoringError, naming `where`, for what is no moment.
    """
    if value in (None, ""):
        return None
    moment: object = value
    if isinstance(value, str):
        try:
            moment = moment_of(value.strip())
        except ValueError:
            moment = None
    if isinstance(moment, date) and moment.year not in YEARS:
        moment = None
    if isinstance(moment, date) and not isinstance(moment, datetime):
        moment = datetime.combine(moment, END_OF_DAY)
    if not isinstance(moment, datetime):
        raise AuthoringError(
            _("{where}: due is {value!r}; expected a moment such as \"2026-10-05 23:59\" or "
              "\"2026-10-05T23:59:00+02:00\""),
            where=where, value=str(value)[:100],
        )  # fmt: skip
    if moment.tzinfo is None:
        if timezone is None:
            raise AuthoringError(
                _("{where}: due is {value!r}, without an offset; add one such as +02:00, or a line "
                  "timezone = \"Europe/Berlin\" at the top of course.toml"),
                where=where, value=str(value),
            )  # fmt: skip
        moment = moment.replace(tzinfo=timezone)
    return moment
