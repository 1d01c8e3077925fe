"""What is different on Colab: Google Drive, and files that the browser takes and gives."""

import importlib
import sys
from pathlib import Path

DRIVE = Path("/content/drive")  # where Colab's own button mounts it, too


def on_colab() -> bool:
    """Whether this is a kernel of Colab: such a kernel has imported its own package."""
    return "google.colab" in sys.modules


def drive_folder() -> Path | None:
    """The student's Google Drive, if it is mounted."""
    folder = DRIVE / "MyDrive"
    return folder if on_colab() and folder.is_dir() else None


def mount_drive() -> Path | None:
    """Ask the student for their Google Drive; its folder, or None if they said no."""
    try:
        importlib.import_module("google.colab.drive").mount(str(DRIVE))
    except Exception:  # what Colab raises for a refusal has changed between its versions
        return None
    return drive_folder()


def download(path: Path) -> None:
    """Have the browser download a file."""
    importlib.import_module("google.colab.files").download(str(path))


def upload() -> dict[str, bytes]:
    """Ask the student for files: the content of each, by name. Empty if none was chosen."""
    return importlib.import_module("google.colab.files").upload() or {}


def notebook_as_shown() -> dict | None:
    """The notebook as it stands in the browser, saved or not; None where Colab does not say."""
    try:
        messages = importlib.import_module("google.colab._message")
        answer = messages.blocking_request("get_ipynb", request="", timeout_sec=10)
        return answer["ipynb"]
    except Exception:  # not a public part of Colab: without it, something else is offered
        return None
