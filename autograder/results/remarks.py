"""What is said of a submission as a whole, in sentences: repairs, remarks and problems."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from autograder.language import _

# What is said of submissions, by section and key; the keys are kept in OUT.
REMARKS = {
    # What was put right before the notebook was graded.
    "repair": {
        "renamed": _("The file {file} was graded as {name}."),
        "several_most": _(
            "There were several notebooks. {name} was graded, the one with the most filled in "
            "({filled} of {count} parts). Not graded: {others}."
        ),
        "several_named": _(
            "There were several notebooks, and in none is more filled in than in {name} ({filled} "
            "of {count} parts), which was graded for its name. Not graded: {others}."
        ),
        "several_alike": _(
            "There were several notebooks with the same answers; {name} was graded. Not graded: "
            "{others}."
        ),
        "unnumbered": _(
            "The notebook was in an old format; its cells were matched by their content."
        ),
        "kernel": _("The notebook asked for the kernel {kernel}; it was graded with Python 3."),
        "of_another": _(
            "Most of what was handed in with it is of lesson {usual}. The notebook says that it "
            "belongs to lesson {found}, and was graded as that."
        ),
        "another_lesson": _(
            "The notebook says that it belongs to lesson {found}; it was graded as {expected}."
        ),
        "points": _(
            "The marks for the grader of the cell {cell} were changed; those of the original count."
        ),
        "test_missing": _("The test cell of {component} was gone; it was put back."),
        "test_edited": _("The test cell of {component} was changed; the original was used."),
        "test_twice": _(
            "The test cell of {component} was there {count} times; the original was used once."
        ),
        "graded_cell": _(
            "The cell {cell} claims to be graded, and is not part of the lesson; it was run as a "
            "cell of your own."
        ),
        "edited": _(
            "The cell {cell} of the original was changed; what it newly defines was kept, the rest "
            "is the original's."
        ),
        "answer_missing": _(
            "There was no answer cell for {component}; the empty one was put in its place."
        ),
        "answer_lost": _(
            "The answer cell of {component} was lost with the end of the file; the empty one was "
            "put in its place."
        ),
        "answer_twice": _(
            "The answer cell of {component} was there {count} times; of those that define it, the "
            "last one counts."
        ),
        "answer_split": _(
            "The answer to {component} was cut into {count} cells; they were joined."
        ),
        "answer_in_prose": _(
            "The answer cell of {component} was gone; the answer was found in a cell of prose."
        ),
        "answer_by_id": _(
            "The answer cell of {component} had lost its mark; it was found by its cell id."
        ),
        "answer_by_content": _(
            "The answer cell of {component} had lost its mark; it was found by what it defines."
        ),
        "answer_by_likeness": _(
            "The answer cell of {component} had lost its mark; it was found by its likeness to the "
            "original."
        ),
        "answer_by_position": _(
            "The answer cell of {component} had lost its mark; it was found by its place."
        ),
        "answer_in_another": _(
            "The answer cell of {component} was gone; the answer was found in the cell of another."
        ),
        "answer_kind": _(
            "The answer cell of {component} was no code cell any more; it was read as code."
        ),
        "reply_below": _(
            "What was written in the cell below the one for question {question} is marked with it."
        ),
        "reply_twice": _(
            "The answer cell of question {question} was there {count} times; what was written in "
            "them is marked together."
        ),
        "reply_elsewhere": _(
            "There was no answer in the cell for question {question}; what was written nearest to "
            "it is marked as the answer."
        ),
        "cell_timeout": _(
            "A cell of your own took too long and was stopped; everything else was graded without "
            "it."
        ),
        "cell_died": _("A cell of your own ended Python; everything else was graded without it."),
        "cell_out_of_memory": _(
            "A cell of your own took too much memory; everything else was graded without it."
        ),
        "reply_missing": _("There was no answer cell for question {question}."),
        "reply_lost": _(
            "The answer cell of question {question} was lost with the end of the file."
        ),
        "cut": _(
            "The file {file} ends in the middle, as after an upload that broke off. Its {count} "
            "whole cells were graded; what came after them is lost. Hand the notebook in again if "
            "something of yours is missing."
        ),
        "damaged": _(
            "The file {file} is damaged, so that no program opens it as a notebook. Its {count} "
            "whole cells were graded."
        ),
        "conflict": _(
            "The file {file} held git's marks of a conflict (<<<<<<<, =======, >>>>>>>). The side "
            "with more filled in was graded."
        ),
        "unpacked": _("The file {file} was packed; {name} was taken out of it and graded."),
        "script": _(
            "The file {file} is no notebook but a script. The definitions in it were graded as "
            "answers; answers to questions in prose may be lost."
        ),
    },
    # What an instructor should look at. None of it costs points.
    "remark": {
        "answer": _(
            "Look at the code: the answer {component} uses {names}, which no exercise needs. With "
            "it, torch's own version can be called unseen, or what is measured be changed."
        ),
        "own": _(
            "Look at the code: a cell that the student added uses {names}, which no exercise "
            "needs. With it, torch's own version can be called unseen, or what is measured be "
            "changed."
        ),
        "not_searched": _(
            "Look at the code: it could not be searched for ways round the grader, for it is too "
            "large, or took too long."
        ),
        "refused": _(
            "Look at the code: {component} earned points, but called {names}, which was refused."
        ),
    },
    # Why a submission could not be graded.
    "problem": {
        "unknown_lesson": _("There is no lesson of this name.{close}"),
        "no_notebook": _("There is no notebook in what was handed in."),
        "no_lesson": _("The student's folder is empty."),
        "stray": _("This is no folder of a lesson; it was not looked at."),
        "several": _(
            "There are several notebooks ({names}) with as much filled in, and none of them is "
            "called {name}."
        ),
        "too_many_notebooks": _("There are more than {limit} notebooks in the folder."),
        "link": _("This is a link, and links are not followed."),
        "no_file": _("This is no ordinary file."),
        "too_large": _("The file is larger than {limit} MB."),
        "too_much": _(
            "The notebook takes too much memory or time to be read; clear its outputs, save, and "
            "hand it in again."
        ),
        "unreadable": _("The file cannot be read ({reason})."),
        "folder_unreadable": _("The folder cannot be read ({reason})."),
        "not_json": _("The file is no notebook: it is not JSON, or it is cut off ({reason})."),
        "not_notebook": _("The file is JSON, but no notebook ({reason})."),
        "too_deep": _("The file is no notebook: it is nested too deeply."),
        "too_many_cells": _("The notebook has more than {limit} cells."),
        "source_too_large": _("A cell of the notebook is longer than {limit} characters."),
        "cells_too_large": _("The notebook's cells have more than {limit} characters together."),
        "empty_file": _("The file is empty."),
        "pdf": _("The file is a PDF, not a notebook; the code cannot be read from it."),
        "picture": _("The file is a picture, not a notebook."),
        "document": _("The file is a document of a word processor, not a notebook."),
        "archive": _("The file is packed as {kind}, which is not opened; only zip and tar are."),
        "broken_archive": _("The file is packed and cannot be opened ({reason})."),
        "empty_archive": _("The file is packed, and there is no notebook in it."),
        "web_page": _(
            "The file is a web page ({title}), not a notebook: the page was saved rather than the "
            "file that it shows."
        ),
        "markdown": _(
            "The file is a document in Markdown, not a notebook: it was made from one, or written "
            "beside it."
        ),
        "nothing_left": _("The file is no notebook, and nothing in it looks like an answer."),
        "which_lesson": _(
            "Nothing in this file, nor its name, says which lesson it belongs to; it was not "
            "graded."
        ),
        "not_handed_in": _("Nothing was handed in."),
        "internal": _(
            "This submission brought the grader itself to a fault ({reason}). It has to be looked "
            "at by a person."
        ),
    },
}


# What a student can do about a problem; what is not named here has the general steps.
SAVE_AND_CHECK = (
    _("Open your notebook where you worked on it, and look whether your answers are there."),
    _(
        "Save it as a notebook. In JupyterLab: File, Save Notebook, then File, Download. On Colab: "
        "File, Download, Download .ipynb."
    ),
    _("Open the saved file once more, in JupyterLab or Colab, to see that it is whole."),
    _("Hand in that file; its name ends in .ipynb."),
)
ADVICE = {
    "no_notebook": (
        _("Hand in the notebook itself: the file of the lesson whose name ends in .ipynb."),
        SAVE_AND_CHECK[1],
    ),
    "no_lesson": (
        _("Hand in the notebook of the lesson: the file whose name ends in .ipynb."),
    ),
    "several": (
        _("Hand in one notebook only: the one with your answers, under the name it came with."),
    ),
    "too_many_notebooks": (
        _("Hand in one notebook only: the one with your answers, under the name it came with."),
    ),
    "too_much": (
        _("Clear the outputs: in JupyterLab, Edit, Clear Outputs of All Cells."),
        _("Save the notebook and hand it in again."),
    ),
    "link": (
        _("Hand in the notebook itself, not a link to it."),
    ),
    "which_lesson": (
        _("Take a fresh copy of the lesson's notebook, and copy your answers into its cells."),
        _("Keep the first cell: it tells which lesson the notebook is of. Hand in this notebook."),
    ),
    "internal": (
        _("This is not your doing. Your instructor will look at it; you need not do anything."),
    ),
}  # fmt: skip


def advice(problem: "Remark") -> tuple[str, ...]:
    """What the student can do about a problem, step by step."""
    return ADVICE.get(problem.key, SAVE_AND_CHECK)


@dataclass(frozen=True)
class Remark:
    """A sentence of REMARKS about one submission: its section, key and details."""

    section: str
    key: str
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return REMARKS[self.section][self.key].format(**self.details)


def lost_cells(repairs: Iterable[Remark]) -> list[str]:
    """The cells for answers, to code and to questions, that were lost with the end of a file."""
    return [
        repair.details.get("component") or f"question_{repair.details['question']}"
        for repair in repairs
        if repair.key in ("answer_lost", "reply_lost")
    ]


class Problem(Exception):
    """Why a submission cannot be graded."""

    def __init__(self, key: str, **details: object):
        self.remark = Remark("problem", key, details)
        super().__init__(self.remark.text)
