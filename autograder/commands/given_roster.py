"""What a roster does that `collect` or `grade` is given, or finds in the folder that they write."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.files import replace_file
from autograder.lms.kept_worksheets import keep_if_clear, notes_on_wrong_worksheet
from autograder.lms.roster import ROSTER, Roster, new_ids
from autograder.results.submission import SubmissionId
from autograder.submissions.collected_folder import CollectedFolder

Move = Callable[[Mapping[SubmissionId, str]], None]  # gives submissions to ids of the roster


@dataclass(frozen=True)
class GivenRoster:
    """A roster, and the file if it is given now: it is kept in `home`, worksheets in a folder."""

    roster: Roster
    file: Path | None
    home: Path
    worksheets: Path

    @property
    def path(self) -> Path:
        """Where it was read."""
        return self.file or self.home / ROSTER

    def adopt(self, folder: CollectedFolder, move: Move = lambda ids: None) -> None:
        """Keep the roster; what was collected without it gets the ids that it tells."""
        if self.file:
            replace_file(self.home / ROSTER, self.file.read_bytes())
        ids = new_ids(self.roster, folder.table)
        move(ids)
        folder.rename(ids)

    def keep_worksheet(self, folder: CollectedFolder) -> list[str]:
        """Keep a lesson's worksheet; what is to be told if it is not that of the zip."""
        if not self.file:
            return []
        keep_if_clear(self.worksheets, self.file, self.roster, folder.table)
        return notes_on_wrong_worksheet(self.file, self.roster, folder.before, folder.taken)
