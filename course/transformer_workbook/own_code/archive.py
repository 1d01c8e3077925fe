"""Moves the student's own code to another computer, or to the next Colab runtime."""

import os
import zipfile
from pathlib import Path

from ..diagnosis.recorded_lessons import index
from ..shared.language import _, say
from . import colab
from .paths import PACKAGE, home
from .store import forget, saved

ARCHIVE = f"{PACKAGE}.zip"


def pack(path: str | os.PathLike | None = None) -> Path | None:
    """Zip the student's own code, by default next to its folder; on Colab, download the file.

    Returns the file's path, or None if no code is saved yet. Raises OSError.
    """
    if not saved():
        say(_("None of your own code is saved here yet. It is saved when it passes its check."))
        return None
    target = Path(path) if path else home().with_name(ARCHIVE)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(home().glob("*.py")):
            archive.write(file, file.name)
    if colab.on_colab():
        say(
            _(
                "The browser downloads {name}: keep that file. In the next runtime, wb.unpack() "
                "asks for it."
            ).format(name=target.name)
        )
        colab.download(target)
    else:
        say(_("Your code is in {path}. Download this file and keep it.").format(path=target))
    return target


def unpack(path: str | os.PathLike | None = None) -> list[str]:
    """Restore the code that `pack` zipped; returns the names of its components.

    On Colab without a path, it asks for an upload. Prints the problem and returns an empty list if
    the file is missing or damaged.
    """
    source = Path(path) if path else home().with_name(ARCHIVE)
    if not source.is_file() and path is None and colab.on_colab():
        uploaded = colab.upload()
        if not uploaded:
            say(
                _(
                    "No file was chosen. Run this cell again and choose the {name} that wb.pack() "
                    "downloaded."
                ).format(name=ARCHIVE)
            )
            return []
        # The browser numbers a second download: "my_transformer (1).zip".
        name, content = next(iter(uploaded.items()))
        source = Path.cwd() / name
        source.write_bytes(content)
    if not source.is_file():
        say(
            _(
                "There is no file {path}. Upload the {name} that wb.pack() made, then run this "
                "again."
            ).format(path=source, name=ARCHIVE)
        )
        return []
    lessons = index()["lessons"].values()
    component_files = {f"{name}.py" for lesson in lessons for name in lesson["components"]}
    try:
        with zipfile.ZipFile(source) as archive:
            # Extract files named after components only: no other file, no path.
            files = [name for name in archive.namelist() if name in component_files]
            home().mkdir(parents=True, exist_ok=True)
            for name in files:
                (home() / name).write_bytes(archive.read(name))
    except (zipfile.BadZipFile, OSError) as error:
        say(
            _("{path} is not a file that wb.pack() made: {problem}").format(
                path=source, problem=error
            )
        )
        return []
    names = [name.removesuffix(".py") for name in files]
    forget(*names)
    say(
        _("Your code is back: {names}. To use it in cells that ran before, run them again.").format(
            names=", ".join(names)
        )
        if names
        else _("There is no code of this course in that file.")
    )
    return names


def use_drive() -> None:
    """On Colab, mount Google Drive and keep the student's own code there from now on."""
    if not colab.on_colab():
        say(
            _("Google Drive is for Colab. Here your code is kept in {folder}.").format(
                folder=home()
            )
        )
    elif colab.drive_folder() is None and colab.mount_drive() is None:
        say(
            _(
                "Google Drive is not connected. Run this cell again and allow it, or use "
                "wb.pack() at the end and wb.unpack() next time."
            )
        )
    else:
        names = sorted(saved())
        say(
            _(
                "From now on your code is kept in your Google Drive, in {folder}. There so far: "
                "{names}."
            ).format(folder=home(), names=", ".join(names) or _("nothing yet"))
        )
