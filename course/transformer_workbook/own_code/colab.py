"""Colab's API: Google Drive, uploads, downloads and the notebook itself."""

import importlib
import sys
from pathlib import Path

DRIVE = Path("/content/drive")  # where Colab's button mounts it, too


def on_colab() -> bool:
    """Whether this is a Colab kernel, which imports google.colab at its start."""
    return "google.colab" in sys.modules


def drive_folder() -> Path | None:
    """The folder of the student's Google Drive; None if it is not mounted."""
    folder = DRIVE / "MyDrive"
    return folder if on_colab() and folder.is_dir() else None


def mount_drive() -> Path | None:
    """Ask for access to Google Drive; its folder, or None if the student declined."""
    try:
        importlib.import_module("google.colab.drive").mount(str(DRIVE))
    except Exception:  # the type for a refusal differs between Colab's versions
        return None
    return drive_folder()


def download(path: Path) -> None:
    """Have the browser download a file."""
    importlib.import_module("google.colab.files").download(str(path))


def upload() -> dict[str, bytes]:
    """Ask the student to upload files; {name: content}, empty if they choose none."""
    return importlib.import_module("google.colab.files").upload() or {}


def notebook_as_shown() -> dict | None:
    """The notebook as it is in the browser, saved or not; None if Colab does not return it."""
    try:
        messages = importlib.import_module("google.colab._message")
        answer = messages.blocking_request("get_ipynb", request="", timeout_sec=10)
        return answer["ipynb"]
    except Exception:  # not a public API
        return None
