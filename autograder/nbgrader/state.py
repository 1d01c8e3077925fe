"""What the grader knows of a gradebook beyond nbgrader's own tables: a table of its own there.

What is known of grades is written in their own transaction. So a run that is killed leaves both or
neither, and what is known of a gradebook that is moved away goes with it.
"""

import json
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy import Column, MetaData, String, Table, Text, delete, inspect, select
from sqlalchemy.dialects.sqlite import insert

# What is known of one submission; who writes it.
RECORDED = "recorded"  # hashes of what was recorded: `Recorder.record`
PROSE = "prose"  # hashes of the answers in prose, by question: `Prose.remember`
PENALTY = "penalty"  # the percentage that lateness cost last: `Penalties.remember`
PAGE = "page"  # a hash of what the page of feedback shows of the gradebook, once it was written
# What is known of all: a hash of what the roster said of the students.
STUDENTS = "students"

_TABLE = Table(
    "grader_state",
    MetaData(),
    Column("kind", String(16), primary_key=True),
    Column("student", String(128), primary_key=True),
    Column("lesson", String(128), primary_key=True),
    Column("tree", Text, nullable=False),
)


class State:
    """All rows of a gradebook's table, read once: one run at a time writes there.

    What is put is committed with the caller's transaction.
    """

    def __init__(self, gradebook: Gradebook):
        self._rows: dict[tuple[str, str, str], str] = {}
        if inspect(gradebook.engine).has_table(_TABLE.name):
            for kind, student, lesson, text in gradebook.db.execute(select(_TABLE)):
                self._rows[kind, student, lesson] = text

    @classmethod
    def open(cls, gradebook: Gradebook) -> "State":
        """The state, in a table that is made where there is none."""
        _TABLE.create(gradebook.engine, checkfirst=True)
        return cls(gradebook)

    def get(self, kind: str, student: str = "", lesson: str = "") -> dict[str, Any]:
        """What was put last; empty where nothing was."""
        tree: dict[str, Any] = json.loads(self._rows.get((kind, student, lesson), "{}"))
        return tree

    def put(
        self,
        gradebook: Gradebook,
        kind: str,
        tree: dict[str, Any],
        student: str = "",
        lesson: str = "",
    ) -> None:
        key, text = (kind, student, lesson), json.dumps(tree)
        if self._rows.get(key) != text:
            _write(gradebook, key, text)
            self._rows[key] = text

    def delete(self, gradebook: Gradebook, kind: str, student: str, lesson: str) -> None:
        if self._rows.pop((kind, student, lesson), None) is not None:
            gradebook.db.execute(delete(_TABLE).where(*_is((kind, student, lesson))))

    def move(self, gradebook: Gradebook, student: str, lesson: str, id: str) -> None:
        """Give what is known of a submission to another student's id."""
        for kind in {kind for kind, *place in self._rows if place == [student, lesson]}:
            self.put(gradebook, kind, self.get(kind, student, lesson), id, lesson)
            self.delete(gradebook, kind, student, lesson)


def _write(gradebook: Gradebook, key: tuple[str, str, str], text: str) -> None:
    row = dict(zip(("kind", "student", "lesson"), key, strict=True))
    new = insert(_TABLE).values(**row, tree=text)
    gradebook.db.execute(new.on_conflict_do_update(index_elements=list(row), set_={"tree": text}))


def _is(key: tuple[str, str, str]) -> list[Any]:
    columns = (_TABLE.c.kind, _TABLE.c.student, _TABLE.c.lesson)
    return [column == value for column, value in zip(columns, key, strict=True)]
