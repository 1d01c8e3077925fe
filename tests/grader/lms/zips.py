"""Makes what LMSs give an instructor, by their own naming schemes, of a small class.

The schemes and where they are written down: autograder/lms/file_names.py.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass

from nbformat import NotebookNode

Content = NotebookNode | bytes


@dataclass(frozen=True)
class Person:
    """A student as an LMS knows them; `number` is Canvas's user id."""

    first: str
    last: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def email(self) -> str:
        return f"s{self.number}@uni.example"


AMINA = Person("Amina", "Khan", 12345)
JOSE = Person("José", "García López", 12346)
DIEGO = Person("Diego", "O'Neil-Ruiz", 12347)
LI = Person("李", "Wei", 12348)
EMPTY = Person("Nobody", "Empty", 12349)
CLASS = (AMINA, JOSE, DIEGO, LI, EMPTY)


def raw(content: Content) -> bytes:
    return content if isinstance(content, bytes) else json.dumps(content).encode()


def zipped(files: Iterable[tuple[str, Content]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, raw(content))
    return buffer.getvalue()


class Canvas:
    """The zip of "Download Submissions"."""

    def __init__(self) -> None:
        self.files: list[tuple[str, Content]] = []
        self._attachment = 67890

    def put(self, person: Person, file: str, content: Content, late: bool = False) -> str:
        """Add an attachment; its name in the zip."""
        last_first = f"{person.last}, {person.first}".lower()
        name = re.sub(r"[^\w]", "", last_first) + ("_LATE" if late else "")
        path = f"{name}_{person.number}_{self._attachment}_{file}"
        self._attachment += 7
        self.files.append((path, content))
        return path

    def zip(self) -> bytes:
        return zipped(self.files)


def canvas_gradebook(people: Iterable[Person], assignments: dict[str, float]) -> str:
    """What "Export Entire Gradebook" gives."""
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *assignments,
             "Current Score", "Final Score"]]  # fmt: skip
    possible = [f"{points:.2f}" for points in assignments.values()]
    rows.append(["    Points Possible", "", "", "", "", *possible, "(read only)", "(read only)"])
    for person in people:
        name = f"{person.last}, {person.first}"
        rows.append([name, str(person.number), f"U{person.number}", f"s{person.number}", "Monday",
                     *("" for _ in assignments), "", ""])  # fmt: skip
    rows.append(["Student, Test", "99999", "", "abc", "Monday", *("" for _ in assignments), "", ""])
    return "\ufeff" + "".join(",".join(f'"{value}"' for value in row) + "\n" for row in rows)


class Moodle:
    """The zip of "Download all submissions" of one assignment, which numbers its participants."""

    def __init__(self, first: int = 501, underscore: str = "_", folders: bool = True) -> None:
        self.files: list[tuple[str, Content]] = []
        self.first, self.underscore, self.folders = first, underscore, folders

    def participant(self, person: Person) -> int:
        return self.first + CLASS.index(person)

    def put(self, person: Person, file: str, content: Content) -> str:
        prefix = f"{person.name}_{self.participant(person)}_assignsubmission_file"
        between = f"{self.underscore}/" if self.folders else "_"
        path = f"{prefix}{between}{file}"
        self.files.append((path, content))
        return path

    def zip(self) -> bytes:
        return zipped(self.files)

    def worksheet(self, people: Iterable[Person], late: dict[Person, str]) -> str:
        """What "Download grading worksheet" gives."""
        rows = [["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade",
                 "Grade can be changed", "Last modified (submission)", "Last modified (grade)",
                 "Feedback comments"]]  # fmt: skip
        for person in people:
            status = "Submitted for grading"
            if person in late:
                status += f" - {late[person]} late"
            if person is EMPTY:
                status = "No submission"
            when = "-" if person is EMPTY else "Sunday, 1 March 2026, 11:59 PM"
            rows.append([f"Participant {self.participant(person)}", person.name, person.email,
                         status, "", "100.00", "Yes", when, "-", ""])  # fmt: skip
        return "".join(",".join(f'"{value}"' for value in row) + "\n" for row in rows)
