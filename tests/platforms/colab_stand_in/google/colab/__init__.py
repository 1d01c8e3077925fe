"""Stands in for Colab's own package: the browser and Google Drive are folders.

COLAB_STAND_IN names the folder: `uploads` holds the files that the student chooses, `downloads`
gets those that the browser downloads, and `notebook.ipynb` is the notebook as it is shown.
"""

from . import drive, files

__all__ = ["drive", "files"]
