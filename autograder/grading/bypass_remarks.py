"""Makes a remark for the instructor of code that can get round the grader; see `bypasses`."""

from collections.abc import Mapping, Sequence

from autograder.results.remarks import Remark
from autograder.sandbox import bounded_call
from autograder.sandbox.bounded_call import NotFinished
from autograder.sandbox.job import Cell

MOST_NAMES = 5  # names in one remark


def remarks(cells: Sequence[Cell], forbidden: Mapping[str, Sequence[str]]) -> list[Remark]:
    """A remark for each answer whose code can get round the grader, and one for all other cells.

    `forbidden` are the functions that each answer must not call, by component; none if a lesson
    refuses nothing. A submission that cannot be searched has a remark that says so.
    """
    arguments = {
        "cells": [[cell.kind, cell.name, cell.source] for cell in cells],
        "forbidden": {name: list(functions) for name, functions in forbidden.items()},
    }
    try:
        names_by_answer = bounded_call.call("autograder.grading.bypasses", "ways_in", arguments)
    except NotFinished:
        return [Remark("remark", "not_searched")]
    return [
        Remark("remark", "answer" if answer else "own",
               {"component": answer, "names": ", ".join(names[:MOST_NAMES])})
        for answer, names in names_by_answer.items()
    ]  # fmt: skip
