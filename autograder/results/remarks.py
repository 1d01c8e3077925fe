"""What is said of a submission as a whole, in sentences: repairs, remarks and problems."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from autograder.language import N_, _

# What is said of submissions, by section and key; the keys are kept in OUT.
REMARKS = {
    # What was put right before the notebook was graded.
    "repair": {
        "renamed": N_("The file {file} was graded as {name}."),
        "several_most": N_(
            "There were several notebooks. {name} was graded, the one with the most filled in "
            "({filled} of {count} parts). Not graded: {others}."
        ),
        "several_named": N_(
            "There were several notebooks, and in none is more filled in than in {name} ({filled} "
            "of {count} parts), which was graded for its name. Not graded: {others}."
        ),
        "several_alike": N_(
            "There were several notebooks with the same answers; {name} was graded. Not graded: "
            "{others}."
        ),
        "unnumbered": N_(
            "The notebook was in an old format; its cells were matched by their content."
        ),
        "kernel": N_("The notebook asked for the kernel {kernel}; it was graded with Python 3."),
        "of_another": N_(
            "Most of what was handed in with it is of lesson {usual}. The notebook says that it "
            "belongs to lesson {found}, and was graded as that."
        ),
        "another_lesson": N_(
            "The notebook says that it belongs to lesson {found}; it was graded as {expected}."
        ),
        "points": N_(
            "The marks for the grader of the cell {cell} were changed; those of the original count."
        ),
        "test_missing": N_("The test cell of {component} was gone; it was put back."),
        "test_edited": N_("The test cell of {component} was changed; the original was used."),
        "test_twice": N_(
            "The test cell of {component} was there {count} times; the original was used once."
        ),
        "graded_cell": N_(
            "The cell {cell} claims to be graded, and is not part of the lesson; it was run as a "
            "cell of your own."
        ),
        "edited": N_(
            "The cell {cell} of the original was changed; what it newly defines was kept, the rest "
            "is the original's."
        ),
        "answer_missing": N_(
            "There was no answer cell for {component}; the empty one was put in its place."
        ),
        "answer_lost": N_(
            "The answer cell of {component} was lost with the end of the file; the empty one was "
            "put in its place."
        ),
        "answer_twice": N_(
            "The answer cell of {component} was there {count} times; of those that define it, the "
            "last one counts."
        ),
        "answer_split": N_(
            "The answer to {component} was cut into {count} cells; they were joined."
        ),
        "answer_in_prose": N_(
            "The answer cell of {component} was gone; the answer was found in a cell of prose."
        ),
        "answer_by_id": N_(
            "The answer cell of {component} had lost its mark; it was found by its cell id."
        ),
        "answer_by_content": N_(
            "The answer cell of {component} had lost its mark; it was found by what it defines."
        ),
        "answer_by_likeness": N_(
            "The answer cell of {component} had lost its mark; it was found by its likeness to the "
            "original."
        ),
        "answer_by_position": N_(
            "The answer cell of {component} had lost its mark; it was found by its place."
        ),
        "answer_in_another": N_(
            "The answer cell of {component} was gone; the answer was found in the cell of another."
        ),
        "answer_kind": N_(
            "The answer cell of {component} was no code cell any more; it was read as code."
        ),
        "reply_below": N_(
            "What was written in the cell below the one for question {question} is marked with it."
        ),
        "reply_twice": N_(
            "The answer cell of question {question} was there {count} times; what was written in "
            "them is marked together."
        ),
        "reply_elsewhere": N_(
            "There was no answer in the cell for question {question}; what was written nearest to "
            "it is marked as the answer."
        ),
        "cell_timeout": N_(
            "A cell of your own took too long and was stopped; everything else was graded without "
            "it."
        ),
        "cell_died": N_("A cell of your own ended Python; everything else was graded without it."),
        "cell_out_of_memory": N_(
            "A cell of your own took too much memory; everything else was graded without it."
        ),
        "reply_missing": N_("There was no answer cell for question {question}."),
        "reply_lost": N_(
            "The answer cell of question {question} was lost with the end of the file."
        ),
        "cut": N_(
            "The file {file} ends in the middle, as after an upload that broke off. Its {count} "
            "whole cells were graded; what came after them is lost. Hand the notebook in again if "
            "something of yours is missing."
        ),
        "damaged": N_(
            "The file {file} is damaged, so that no program opens it as a notebook. Its {count} "
            "whole cells were graded."
        ),
        "conflict": N_(
            "The file {file} held git's marks of a conflict (<<<<<<<, =======, >>>>>>>). The side "
            "with more filled in was graded."
        ),
        "unpacked": N_("The file {file} was packed; {name} was taken out of it and graded."),
        "script": N_(
            "The file {file} is no notebook but a script. The definitions in it were graded as "
            "answers; answers to questions in prose may be lost."
        ),
    },
    # What an instructor should look at. None of it costs points.
    "remark": {
        "answer": N_(
            "Look at the code: the answer {component} uses {names}, which no exercise needs. With "
            "it, torch's own version can be called unseen, or what is measured be changed."
        ),
        "own": N_(
            "Look at the code: a cell that the student added uses {names}, which no exercise "
            "needs. With it, torch's own version can be called unseen, or what is measured be "
            "changed."
        ),
        "not_searched": N_(
            "Look at the code: it could not be searched for ways round the grader, for it is too "
            "large, or took too long."
        ),
        "refused": N_(
            "Look at the code: {component} earned points, but called {names}, which was refused."
        ),
    },
    # Why a submission could not be graded.
    "problem": {
        "unknown_lesson": N_("There is no lesson of this name.{close}"),
        "no_notebook": N_("There is no notebook in what was handed in."),
        "no_lesson": N_("The student's folder is empty."),
        "stray": N_("This is no folder of a lesson; it was not looked at."),
        "several": N_(
            "There are several notebooks ({names}) with as much filled in, and none of them is "
            "called {name}."
        ),
        "too_many_notebooks": N_("There are more than {limit} notebooks in the folder."),
        "link": N_("This is a link, and links are not followed."),
        "no_file": N_("This is no ordinary file."),
        "too_large": N_("The file is larger than {limit} MB."),
        "too_much": N_(
            "The notebook takes too much memory or time to be read; clear its outputs, save, and "
            "hand it in again."
        ),
        "unreadable": N_("The file cannot be read ({reason})."),
        "folder_unreadable": N_("The folder cannot be read ({reason})."),
        "not_json": N_("The file is no notebook: it is not JSON, or it is cut off ({reason})."),
        "not_notebook": N_("The file is JSON, but no notebook ({reason})."),
        "too_deep": N_("The file is no notebook: it is nested too deeply."),
        "too_many_cells": N_("The notebook has more than {limit} cells."),
        "source_too_large": N_("A cell of the notebook is longer than {limit} characters."),
        "cells_too_large": N_("The notebook's cells have more than {limit} characters together."),
        "empty_file": N_("The file is empty."),
        "pdf": N_("The file is a PDF, not a notebook; the code cannot be read from it."),
        "picture": N_("The file is a picture, not a notebook."),
        "document": N_("The file is a document of a word processor, not a notebook."),
        "archive": N_("The file is packed as {kind}, which is not opened; only zip and tar are."),
        "broken_archive": N_("The file is packed and cannot be opened ({reason})."),
        "empty_archive": N_("The file is packed, and there is no notebook in it."),
        "web_page": N_(
            "The file is a web page ({title}), not a notebook: the page was saved rather than the "
            "file that it shows."
        ),
        "markdown": N_(
            "The file is a document in Markdown, not a notebook: it was made from one, or written "
            "beside it."
        ),
        "nothing_left": N_("The file is no notebook, and nothing in it looks like an answer."),
        "which_lesson": N_(
            "Nothing in this file, nor its name, says which lesson it belongs to; it was not "
            "graded."
        ),
        "not_handed_in": N_("Nothing was handed in."),
        "internal": N_(
            "This submission brought the grader itself to a fault ({reason}). It has to be looked "
            "at by a person."
        ),
    },
}


# What a student can do about a problem; what is not named here has the general steps.
SAVE_AND_CHECK = (
    N_("Open your notebook where you worked on it, and look whether your answers are there."),
    N_(
        "Save it as a notebook. In JupyterLab: File, Save Notebook, then File, Download. On Colab: "
        "File, Download, Download .ipynb."
    ),
    N_("Open the saved file once more, in JupyterLab or Colab, to see that it is whole."),
    N_("Hand in that file; its name ends in .ipynb."),
)
ADVICE = {
    "no_notebook": (
        N_("Hand in the notebook itself: the file of the lesson whose name ends in .ipynb."),
        SAVE_AND_CHECK[1],
    ),
    "no_lesson": (
        N_("Hand in the notebook of the lesson: the file whose name ends in .ipynb."),
    ),
    "several": (
        N_("Hand in one notebook only: the one with your answers, under the name it came with."),
    ),
    "too_many_notebooks": (
        N_("Hand in one notebook only: the one with your answers, under the name it came with."),
    ),
    "too_much": (
        N_("Clear the outputs: in JupyterLab, Edit, Clear Outputs of All Cells."),
        N_("Save the notebook and hand it in again."),
    ),
    "link": (
        N_("Hand in the notebook itself, not a link to it."),
    ),
    "which_lesson": (
        N_("Take a fresh copy of the lesson's notebook, and copy your answers into its cells."),
        N_("Keep the first cell: it tells which lesson the notebook is of. Hand in this notebook."),
    ),
    "internal": (
        N_("This is not your doing. Your instructor will look at it; you need not do anything."),
    ),
}  # fmt: skip


def advice(problem: "Remark") -> tuple[str, ...]:
    """What the student can do about a problem, step by step."""
    return tuple(_(step) for step in ADVICE.get(problem.key, SAVE_AND_CHECK))


@dataclass(frozen=True)
class Remark:
    """A sentence of REMARKS about one submission: its section, key and details."""

    section: str
    key: str
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return _(REMARKS[self.section][self.key]).format(**self.details)


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
