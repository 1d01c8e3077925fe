"""`google.colab.drive`."""

import os
from pathlib import Path


def mount(mountpoint: str) -> None:
    if (Path(os.environ["COLAB_STAND_IN"]) / "refuse").exists():
        raise ValueError("mount failed")
    (Path(mountpoint) / "MyDrive").mkdir(parents=True, exist_ok=True)
