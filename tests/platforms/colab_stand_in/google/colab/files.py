"""`google.colab.files`: an upload lies in the working folder afterwards, as on Colab."""

import os
import shutil
from pathlib import Path


def upload() -> dict[str, bytes]:
    chosen = sorted((Path(os.environ["COLAB_STAND_IN"]) / "uploads").glob("*"))
    for file in chosen:
        shutil.copy(file, Path.cwd())
    return {file.name: file.read_bytes() for file in chosen}


def download(filename: str) -> None:
    if not Path(filename).is_file():
        raise FileNotFoundError(f"Cannot find file: {filename}")
    target = Path(os.environ["COLAB_STAND_IN"]) / "downloads"
    target.mkdir(exist_ok=True)
    shutil.copy(filename, target)
