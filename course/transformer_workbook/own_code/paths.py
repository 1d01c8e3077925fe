"""The folder of the student's own package. Imports no torch: the doctor needs it too."""

import contextlib
import os
import stat
from pathlib import Path

from . import colab

PACKAGE = "my_transformer"
SHARED = stat.S_ISVTX | stat.S_IWOTH


def home() -> Path:
    """The folder of the student's own package, which may not exist yet.

    In WORKBOOK_HOME if that is set, else in a mounted Google Drive, else with the lessons.
    """
    if os.environ.get("WORKBOOK_HOME"):
        return Path(os.environ["WORKBOOK_HOME"]) / PACKAGE
    drive = colab.drive_folder()
    return drive / PACKAGE if drive else local_home()


def local_home() -> Path:
    """The folder with the lessons: the nearest of the working directory and its parents.

    None is taken that another user of this machine may have made.
    """
    working = Path.cwd()
    for folder in (working, *working.parents):
        if not _is_own(folder):
            break
        has_lessons = (folder / PACKAGE).is_dir() or (folder / "transformer_workbook").is_dir()
        if has_lessons and _is_own(folder / PACKAGE):
            return folder / PACKAGE
    if (working / "course" / "transformer_workbook").is_dir():  # a copy of the course, from above
        working /= "course"
    return (working if _is_own(working / PACKAGE) else Path.home()) / PACKAGE


def _is_own(path: Path) -> bool:
    """Whether a path is this user's, its owner is the working directory's, or it is not there.

    So has to be what a link leads to. A folder like /tmp, which all users share, is nobody's.
    """
    owners = {Path.cwd().stat().st_uid, os.getuid() if hasattr(os, "getuid") else 0}
    for read in (path.lstat, path.stat):
        with contextlib.suppress(FileNotFoundError):
            status = read()
            if status.st_uid not in owners or status.st_mode & SHARED == SHARED:
                return False
    return True
