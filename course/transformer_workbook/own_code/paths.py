"""Where the student's own package lies; found without torch, for the doctor."""

import os
from pathlib import Path

from . import colab

PACKAGE = "my_transformer"


def home() -> Path:
    """The folder that holds (or will hold) the student's own package."""
    if os.environ.get("WORKBOOK_HOME"):
        return Path(os.environ["WORKBOOK_HOME"]) / PACKAGE
    drive = colab.drive_folder()
    return drive / PACKAGE if drive else beside_the_lessons()


def beside_the_lessons() -> Path:
    """Where it lies on a computer of one's own, and on Colab without Google Drive."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / PACKAGE).is_dir() or (folder / "transformer_workbook").is_dir():
            return folder / PACKAGE
    if (here / "course" / "transformer_workbook").is_dir():  # a copy of the course, from above
        return here / "course" / PACKAGE
    return here / PACKAGE
