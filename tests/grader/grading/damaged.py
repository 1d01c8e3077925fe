"""Files that are no notebooks, as real classes hand them in.

Each function takes the bytes of a whole notebook and returns what is handed in instead: the bytes
of one file, None for an empty folder, or files by name.
"""

import json
from collections.abc import Callable

Files = bytes | dict[str, bytes] | None

PAGE = b"<!DOCTYPE html>\n<html><body><h1>Sign in to download</h1></body></html>\n"


def _too_many_cells(whole: bytes) -> bytes:
    tree = json.loads(whole)
    return json.dumps(tree | {"cells": tree["cells"] * 200}).encode()


def _too_long_a_cell(whole: bytes) -> bytes:
    tree = json.loads(whole)
    tree["cells"][-1]["source"] = "# pasted\n" * 50_000
    return json.dumps(tree).encode()


def _too_much_text(whole: bytes) -> bytes:
    tree = json.loads(whole)
    prose = {"cell_type": "markdown", "metadata": {}, "source": "My notes. " * 15_000}
    return json.dumps(tree | {"cells": tree["cells"] + [prose] * 120}).encode()


def _another_attempt(whole: bytes) -> bytes:
    tree = json.loads(whole)
    for cell in tree["cells"]:
        if cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = [*cell["source"], "\n\n# my second attempt"]
    return json.dumps(tree).encode()


# By the name of what happened.
DAMAGES: dict[str, Callable[[bytes], Files]] = {
    "corrupt": lambda whole: whole[:1500],
    "empty_file": lambda whole: b"",
    "nothing": lambda whole: None,
    "web_page": lambda whole: PAGE,
    "list": lambda whole: b"[1, 2, 3]",
    "no_cells": lambda whole: b'{"nbformat": 4, "metadata": {}}',
    "null_cells": lambda whole: b'{"cells": null, "nbformat": 4}',
    "binary": lambda whole: bytes(range(256)) * 40,
    "pdf": lambda whole: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n",
    "packed": lambda whole: b"PK\x03\x04" + whole[:2000],
    "archive": lambda whole: b"Rar!\x1a\x07\x01\x00" + whole[:2000],
    "deep": lambda whole: b"[" * 200_000,
    "zeros": lambda whole: bytes(len(whole)),
    "many_cells": _too_many_cells,
    "long_cell": _too_long_a_cell,
    "large": _too_much_text,
    "script": lambda whole: {"answers.txt": b"def split_heads(x):\n    return x\n"},
    "several": lambda whole: {"final.ipynb": whole, "final (2).ipynb": _another_attempt(whole)},
    "begun": lambda whole: whole[:700],
    "text": lambda whole: b"I could not open the notebook, sorry. My answers are in the mail.\n",
}
