"""The folder of the student's own package. Imports no torch: the doctor needs it too."""

import os
from pathlib import Path

from . import colab

PACKAGE = "my_transformer"


def home() -> Path:
    """The folder of the student's own package, which may not exist yet.

    In WORKBOOK_HOME if that is set, else in a mounted Google Drive, else with the lessons.
    """
    if os.environ.get("WORKBOOK_HOME"):
        return Path(os.environ["WORKBOOK_HOME"]) / PACKAGE
    drive = colab.drive_folder()
    return drive / PACKAGE if drive else local_home()


def local_home() -> Path:
    """The folder with the lessons: the nearest of the working directory and its parents."""
    working = Path.cwd()
    for folder in (working, *working.parents):
        if (folder / PACKAGE).is_dir() or (folder / "transformer_workbook").is_dir():
            return folder / PACKAGE
    if (working / "course" / "transformer_workbook").is_dir():  # a copy of the course, from above
        return working / "course" / PACKAGE
    return working / PACKAGE
