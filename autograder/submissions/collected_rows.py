"""Reads back what `collect` wrote down in collected.csv, also after a spreadsheet saved it."""

import csv

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.results.tables import read_table, text_in

COLUMNS = ("student", "lesson", "file", "submitted", "late", "counts", "original", "note",
           "assignment")  # fmt: skip
NEEDED = ("student", "lesson", "file", "counts")


def read_rows(content: bytes, path: object) -> list[dict[str, str]]:
    """The rows of collected.csv by column, with whatever separates its columns.

    Raises WrongUsage for another table: without what it tells, an older attempt would count.
    """
    try:
        header, *rows = list(read_table(text_in(content, path))) or [[]]
    except csv.Error as error:
        raise WrongUsage(_("{path} cannot be read ({reason})"), path=path, reason=error) from error
    if missing := [name for name in NEEDED if name not in header]:
        raise WrongUsage(
            _("{path}: its first line is {line!r}, without {missing}; expected the columns "
              "{columns}"),
            path=path, line=",".join(header), missing=", ".join(missing),
            columns=", ".join(COLUMNS),
        )  # fmt: skip
    empty = dict.fromkeys(COLUMNS, "")
    return [empty | dict(zip(header, values, strict=False)) for values in rows]
