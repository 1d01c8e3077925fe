"""Moves the student's own code to another computer, or to the next Colab runtime."""

import os
import zipfile
from pathlib import Path

from ..shared.lesson_index import index
from ..shared.texts import say, texts
from . import colab
from .paths import PACKAGE, home
from .store import forget, saved

ARCHIVE = f"{PACKAGE}.zip"


def pack(path: str | os.PathLike | None = None) -> Path | None:
    """Zip the student's own code, by default next to its folder; on Colab, download the file.

    Returns the file's path, or None if no code is saved yet. Raises OSError.
    """
    said = texts()["carry"]
    if not saved():
        say(said["nothing_to_pack"])
        return None
    target = Path(path) if path else home().with_name(ARCHIVE)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(home().glob("*.py")):
            archive.write(file, file.name)
    if colab.on_colab():
        say(said["packed_on_colab"].format(name=target.name))
        colab.download(target)
    else:
        say(said["packed"].format(path=target))
    return target


def unpack(path: str | os.PathLike | None = None) -> list[str]:
    """Restore the code that `pack` zipped; returns the names of its components.

    On Colab without a path, it asks for an upload. Prints the problem and returns an empty list if
    the file is missing or damaged.
    """
    said = texts()["carry"]
    source = Path(path) if path else home().with_name(ARCHIVE)
    if not source.is_file() and path is None and colab.on_colab():
        uploaded = colab.upload()
        if not uploaded:
            say(said["no_upload"].format(name=ARCHIVE))
            return []
        # The browser numbers a second download: "my_transformer (1).zip".
        name, content = next(iter(uploaded.items()))
        source = Path.cwd() / name
        source.write_bytes(content)
    if not source.is_file():
        say(said["not_found"].format(path=source, name=ARCHIVE))
        return []
    lessons = index()["lessons"].values()
    known = {f"{name}.py" for lesson in lessons for name in lesson["components"]}
    try:
        with zipfile.ZipFile(source) as archive:
            # Extract files named after components only: no other file, no path.
            files = [name for name in archive.namelist() if name in known]
            home().mkdir(parents=True, exist_ok=True)
            for name in files:
                (home() / name).write_bytes(archive.read(name))
    except (zipfile.BadZipFile, OSError) as error:
        say(said["bad"].format(path=source, problem=error))
        return []
    names = [name.removesuffix(".py") for name in files]
    forget(*names)
    say(said["unpacked"].format(names=", ".join(names)) if names else said["empty"])
    return names


def use_drive() -> None:
    """On Colab, mount Google Drive and keep the student's own code there from now on."""
    said = texts()["carry"]
    if not colab.on_colab():
        say(said["no_drive_here"].format(folder=home()))
    elif colab.drive_folder() is None and colab.mount_drive() is None:
        say(said["drive_refused"])
    else:
        names = sorted(saved())
        say(said["on_drive"].format(folder=home(), names=", ".join(names) or said["no_code"]))
