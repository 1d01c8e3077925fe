"""Keeps a gradebook's database open from one of nbgrader's steps to the next.

nbgrader opens the gradebook some ten times for each submission. Each time it inspects the tables
and compiles its queries, which takes longer than reading. It also commits after each cell, and
waits each time until the data is on the disk.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import scoped_session, sessionmaker


@contextlib.contextmanager
def keep_open(url: str) -> Iterator[None]:
    """While this is open, each Gradebook of `url` is a session of the first one's database.

    Closing a Gradebook rolls back what it has not committed, as always. A commit survives the end
    of the process at once, and a crash of the machine once this context is left.
    """
    kept: dict[str, Engine] = {}  # engines, by course
    start, close = Gradebook.__init__, Gradebook.close

    def open_or_take(
        self: Gradebook, db_url: str, course_id: str = "default_course", authenticator: Any = None
    ) -> None:
        if db_url == url and course_id in kept:
            self.engine, self.course_id, self.authenticator = kept[course_id], course_id, None
            self.db = scoped_session(sessionmaker(autoflush=True, bind=self.engine, future=True))
            return
        start(self, db_url, course_id, authenticator)
        if db_url == url:
            self.engine.dispose()
            event.listen(self.engine, "connect", _log_ahead)
            kept[course_id] = self.engine

    def leave(self: Gradebook) -> None:
        if self.engine in kept.values():
            self.db.remove()
        else:
            close(self)

    Gradebook.__init__, Gradebook.close = open_or_take, leave
    try:
        yield
    finally:
        Gradebook.__init__, Gradebook.close = start, close
        for engine in kept.values():
            _merge_log(engine)


def _log_ahead(connection: Any, _: object) -> None:
    """Write commits to a write-ahead log, without waiting for the disk."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


def _merge_log(engine: Engine) -> None:
    """Merge the log into the database, on the disk; another program may have it open, too."""
    with contextlib.suppress(OperationalError), engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
    engine.dispose()
