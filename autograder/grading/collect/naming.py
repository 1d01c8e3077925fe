"""Says what each student is called in the results: as the roster does, else as the source does."""

from collections.abc import Sequence

from autograder.grading.escape import shown
from autograder.language import _

from .roster import Roster, normal
from .sources.find import Found
from .sources.layouts import Named


class Naming:
    """Names of one run. `names` are what each student was called in the source.

    `unknown` are those who are not in the roster, each with the reason.
    """

    def __init__(self, roster: Roster | None):
        self.roster = roster
        self.names: dict[str, set[str]] = {}
        self.unknown: dict[str, str] = {}

    def of_folder(self, name: str) -> str:
        """What the student is called whose folder has this name."""
        return self._of(Named("students", name), normal(name))

    def folder(self, student: str) -> Named:
        return Named("students", student)

    def of_files(self, files: Sequence[Found]) -> dict[str, str]:
        """What the student of each file is called, by the file's path.

        Two of one name in one folder of Moodle stay two.
        """
        numbers: dict[tuple[str, str], set[str]] = {}
        for file in files:
            numbers.setdefault(_place(file), set()).add(file.named.lms_id)
        return {
            one.path: self._of(
                one.named,
                f"{one.named.label} ({one.named.lms_id})"
                if one.named.layout == "moodle" and len(numbers[_place(one)]) > 1
                else one.named.label,
            )
            for one in files
        }

    def _of(self, named: Named, label: str) -> str:
        known = self.roster.find(named.name, named.lms_id) if self.roster else []
        if len(known) == 1:
            self.names.setdefault(known[0].id, set()).add(named.name)
            return known[0].id
        student, number = shown(label), 1
        # Names that differ only in escaped characters are two students.
        while label not in self.names.setdefault(student, {label}):
            number += 1
            student = f"{shown(label)} ({number})"
        if self.roster:
            reason = _("not in the roster")
            if known:
                ids = ", ".join(one.id for one in known)
                reason = _("could be any of {ids} in the roster").format(ids=ids)
            self.unknown[student] = reason
        return student


def _place(one: Found) -> tuple[str, str]:
    """The assignment's folder, and the student's name."""
    before, _mark, _rest = one.path.partition(f"_{one.named.lms_id}_assignsubmission")
    return before.rpartition("/")[0], one.named.name
