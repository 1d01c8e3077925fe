"""Reads what was handed in as a notebook, in a process that may be killed.

Nobody can foresee how much memory and time hostile JSON takes. So it is read beside the grader,
with a limit on both, which returns the cells alone; these are bounded.
"""

import contextlib
import json
import threading
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import torch

from autograder.results.remarks import Problem, Remark
from autograder.sandbox import bounded_call
from autograder.sandbox.bounded_call import NotFinished

from .notebook_as_submitted import LARGEST_FILE, NotebookAsSubmitted, SubmittedCell, parsed
from .salvage.salvage import Salvaged, salvage

Data = str | torch.Tensor  # a file's bytes, each as the character of that number, or as they are
SECONDS = 30.0  # of reading one file; an ordinary one takes some thousandths of a second
MOST_AS_TEXT = 1 << 20  # bytes


def get_ready() -> None:
    """Have a process import what reads notebooks while the grader does something else."""

    def start() -> None:
        with contextlib.suppress(Exception):  # the run has ended, or the first notebook tells it
            _in_process("notebook_tree", b"")

    threading.Thread(target=start, daemon=True).start()


def read_notebook(content: bytes) -> NotebookAsSubmitted:
    """Read a notebook's bytes. Raises Problem where they are no notebook."""
    return _notebook(_read("notebook_tree", content))


def read_damaged(name: str, content: bytes) -> list[Salvaged]:
    """What can be saved of a file, each way of reading it. Raises Problem where nothing can be."""
    return [
        Salvaged(_notebook(tree["notebook"]), tuple(Remark(**part) for part in tree["repairs"]))
        for tree in _read("damaged_trees", content, name=name)
    ]


def _read(function: str, content: bytes, **more: Any) -> Any:
    """The result of one of the functions at the end, computed in another process.

    Raises Problem, also where the file takes too much, and NotFinished where no process can be had.
    """
    for _attempt in range(2):  # the process may have ended between two files
        try:
            result = _in_process(function, content, **more)
        except NotFinished:
            continue
        if "problem" in result:
            raise Problem(result["problem"], **result["details"])
        return json.loads(result["read"])
    _in_process(function, b"", **more)  # is it the file, or this machine?
    raise Problem("too_much")


def _in_process(function: str, content: bytes, **more: Any) -> dict[str, Any]:
    # As text, a small file takes a millisecond; torch would copy it with several threads.
    data: object = content.decode("latin-1")
    if len(content) > MOST_AS_TEXT:
        data = torch.frombuffer(bytearray(content), dtype=torch.uint8)
    result: dict[str, Any] = bounded_call.call(
        __name__, function, {"data": data, **more}, SECONDS, largest=2 * LARGEST_FILE
    )
    return result


def _notebook(tree: dict[str, Any]) -> NotebookAsSubmitted:
    cells = tuple(SubmittedCell(**cell) for cell in tree.pop("cells"))
    return NotebookAsSubmitted(cells, **tree)


# What the process calls.


def notebook_tree(data: Data) -> dict[str, Any]:
    """A notebook's bytes as a tree of plain values in JSON, or the problem with them."""
    return _told(lambda: asdict(parsed(_bytes(data))))


def damaged_trees(data: Data, name: str) -> dict[str, Any]:
    """The same of each way to read a damaged one."""
    return _told(lambda: [asdict(saved) for saved in salvage(name, _bytes(data))])


def _bytes(data: Data) -> bytes:
    return data.encode("latin-1") if isinstance(data, str) else data.numpy().tobytes()


def _told(read: Callable[[], object]) -> dict[str, Any]:
    try:
        return {"read": json.dumps(read())}
    except Problem as problem:
        return {"problem": problem.remark.key, "details": problem.remark.details}
    except MemoryError:
        return {"problem": "too_much", "details": {}}
