"""Says what each student is called in the results: as the roster does, else as the source does.

Whom the source tells apart stay apart: one who hands in under a name like another's takes no
result from them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from autograder.language import _
from autograder.lms.file_names import ParsedName
from autograder.lms.roster import ANONYMOUS_IN_MOODLE, Roster, Student
from autograder.results.safe_names import NAMELESS, mark_of, normal, safe_name, unaccented

from .sources.find import SubmittedFile

RESERVED = ("collected.csv", "roster.csv")  # files that lie beside students' folders


@dataclass(frozen=True)
class _Claim:
    """A student as the source tells one: `raw` tells them from all others.

    `label` is what they are called where no roster says more; `of_roster` are those who
    can be meant.
    """

    raw: str
    label: str
    named: ParsedName
    of_roster: tuple[Student, ...] = ()

    @property
    def wanted(self) -> str:
        """The name that it would have, were there no other student."""
        return self.of_roster[0].id if len(self.of_roster) == 1 else safe_name(self.label)

    @property
    def is_exact(self) -> bool:
        """Whether nobody can have this name with more right: it is the very name, or the LMS's id
        of the student in the roster.
        """
        of_lms = len(self.of_roster) == 1 and self.of_roster[0].lms_id == self.named.lms_id != ""
        return of_lms or self.raw == self.wanted


class StudentMatcher:
    """Names of the students in one run, of whose folders and files it is told first.

    Of folders that were collected from what an LMS gave, `collected` has the names that it gave.
    `names` are what each student was called in the source. `unknown` are those who are not in the
    roster, or are not who their names say, each with the reason.
    """

    def __init__(
        self,
        roster: Roster | None,
        folders: Iterable[str] = (),
        files: Sequence[SubmittedFile] = (),
        collected: Mapping[str, Collection[ParsedName]] = MappingProxyType({}),
    ):
        self.roster, self._collected = roster, collected
        self.names: dict[str, set[str]] = {}
        self.unknown: dict[str, str] = {}
        self._numbers: dict[tuple[str, str], set[str]] = {}
        for file in files:
            self._numbers.setdefault(place_of(file), set()).add(file.named.lms_id)
        claims = [self._of_folder(name) for name in folders]
        claims += [self._of_file(file) for file in files]
        self._students: dict[str, str] = {}  # by the raw name
        self._settle({claim.raw: claim for claim in claims})

    def of_folder(self, name: str) -> str:
        """What the student is called whose folder has this name."""
        return self._students[name]

    def of_files(self, files: Sequence[SubmittedFile]) -> dict[str, str]:
        """What the student of each file is called, by the file's path."""
        return {file.path: self._students[self._of_file(file).raw] for file in files}

    def called(self, name: str) -> set[str]:
        """The students whom a name can mean: the one who has it, else those who were called so."""
        for key in (name, safe_name(name)):
            if key in self.names:
                return {key}
        return {student for student, of in self.names.items() if of & {name, normal(name)}}

    # What the source tells.

    def _of_folder(self, name: str) -> _Claim:
        plain = self._claim(name, name, ParsedName("students", normal(name)))
        if self.roster and name in self.roster.by_id:
            return plain
        of_lms = [self._claim(name, name, named) for named in self._collected.get(name, ())]
        return next((claim for claim in of_lms if len(claim.of_roster) == 1), plain)

    def _of_file(self, file: SubmittedFile) -> _Claim:
        """Two of one name in one folder of Moodle stay two, and so do all whom it does not name."""
        named = file.named
        is_shared = (
            len(self._numbers[place_of(file)]) > 1 or unaccented(named.name) == ANONYMOUS_IN_MOODLE
        )
        if named.layout.has_worksheet and is_shared:
            label = f"{named.label or NAMELESS} ({named.lms_id})"
            return self._claim(f"{label}\0", label, named)  # no name ends in NUL
        return self._claim(named.raw or named.label, named.label, named)

    def _claim(self, raw: str, label: str, named: ParsedName) -> _Claim:
        students = self.roster.find(named.name, named.lms_id) if self.roster else []
        return _Claim(raw, label, named, tuple(students))

    # Who gets which name.

    def _settle(self, claims: dict[str, _Claim]) -> None:
        by_wanted: dict[str, list[_Claim]] = {}
        for claim in claims.values():
            by_wanted.setdefault(claim.wanted, []).append(claim)
        unlike: list[tuple[_Claim, list[_Claim]]] = []
        for wanted, rivals in by_wanted.items():
            kept = [claim for claim in rivals if claim.is_exact]
            if len(rivals) == 1 and not self._is_taken(rivals[0]):
                kept = rivals
            if wanted.casefold() in RESERVED:
                kept = []
            for claim in kept:
                self._call(claim, wanted)
                self._tell_of_roster(claim, wanted)
            unlike += [(claim, kept or rivals) for claim in rivals if claim not in kept]
        unlike.sort(key=lambda pair: pair[0].raw)
        for claim, _same in unlike:
            self._call(claim, self._name_of_its_own(claim))
        for claim, same in unlike:
            self.unknown[self._students[claim.raw]] = self._why_apart(claim, same)

    def _is_taken(self, claim: _Claim) -> bool:
        """Whether the name is the id of somebody in the roster who is not meant."""
        ids = self.roster.by_id if self.roster else {}
        return len(claim.of_roster) != 1 and claim.wanted in ids and not claim.is_exact

    def _call(self, claim: _Claim, student: str) -> None:
        self._students[claim.raw] = student
        self.names.setdefault(student, set()).update({claim.raw, claim.label, claim.named.name})

    def _name_of_its_own(self, claim: _Claim) -> str:
        """A name that nobody else has: the same in each run, unless somebody has taken it."""
        name, text = claim.raw.replace("\0", "").replace("/", " "), claim.raw
        taken = {*self.names, *(self.roster.by_id if self.roster else ())}
        while (made := safe_name(f"{safe_name(name)} {mark_of(text)}")) in taken:
            text += "\0"
        return made

    def _tell_of_roster(self, claim: _Claim, student: str) -> None:
        if not self.roster or len(claim.of_roster) == 1:
            return
        reason = _("not in the roster")
        if claim.of_roster:
            ids = ", ".join(student.id for student in claim.of_roster)
            reason = _("could be any of {ids} in the roster").format(ids=ids)
        self.unknown[student] = reason

    def _why_apart(self, claim: _Claim, same: Sequence[_Claim]) -> str:
        """Why a student does not have the name that they were called."""
        if claim.wanted.casefold() in RESERVED:
            return _("its name is that of a file of the grader's, {file}").format(file=claim.wanted)
        namesakes = [rival for rival in same if rival.raw != claim.raw]
        if not namesakes:  # only the roster has that name
            message = _(
                "its name is written like the id {id} in the roster, but is another; it is graded "
                "as a student of its own"
            )
            return message.format(id=claim.wanted)
        alike = [rival for rival in namesakes if _folded(rival.raw) == _folded(claim.raw)]
        first = (alike or namesakes)[0]
        message = _(
            "its name differs from that of {other} only in spaces, case or the form of letters; it "
            "is graded as a student of its own. If both are one student, give both the same name"
        )
        if not alike:
            message = _(
                "both its name and that of {other} can mean {student}; it is graded as a student "
                "of its own. If both are one student, give both the same name"
            )
        return message.format(other=self._students[first.raw], student=claim.wanted)


def _folded(raw: str) -> str:
    return normal(normal(raw).casefold())


def place_of(file: SubmittedFile) -> tuple[str, str]:
    """The assignment's folder, in Moodle that above the student's; and the student's name."""
    before, _mark, _rest = file.path.partition(f"_{file.named.lms_id}_assignsubmission")
    return before.rpartition("/")[0], file.named.name
