"""The student's own code on its way to another computer, or to the next runtime of Colab."""

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
    """Put the student's own code into one file; on Colab the browser downloads it.

    Returns the file, or None if no code is saved yet.
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
    """Take back the code that `pack` put into a file; the names of its components.

    On Colab, without a path, it asks for the file.
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
    known = {f"{name}.py" for one in index()["lessons"].values() for name in one["components"]}
    try:
        with zipfile.ZipFile(source) as archive:
            # Only the course's own component names are taken: no other file, no path.
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
    """On Colab, keep the student's own code in their Google Drive from now on."""
    said = texts()["carry"]
    if not colab.on_colab():
        say(said["no_drive_here"].format(folder=home()))
    elif colab.drive_folder() is None and colab.mount_drive() is None:
        say(said["drive_refused"])
    else:
        names = sorted(saved())
        say(said["on_drive"].format(folder=home(), names=", ".join(names) or said["no_code"]))
