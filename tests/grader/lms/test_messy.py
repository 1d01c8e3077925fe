"""Whatever is handed in is graded for what the student did, or says what is missing."""

import json
import time

import pytest
from hostile.reported import REPORTED

from autograder.results.remarks import ADVICE, REMARKS, SAVE_AND_CHECK, Problem, advice
from autograder.submissions.choose_notebook import chosen
from autograder.submissions.salvage.salvage import salvage

from .messy import KINDS, NAME, Kind, whole

KINDS |= {
    name: Kind(lambda notebook, make=make: make(notebook), graded, key)
    for name, (make, graded, key) in REPORTED.items()
}


def outcome(hand, found, files) -> tuple[dict[str, str], list[str]]:
    """The answers that are graded, and the keys of repairs; Problem where nothing is."""
    if isinstance(files, bytes):
        files = {NAME: files}
    result = found({f"ann/01-attention/{name}": content for name, content in files.items()})
    (submission,) = result.submissions
    rebuilt, repairs = chosen(hand.lesson, lambda _tag: hand.released, submission)
    answers = {cell.name: cell.source for cell in rebuilt.cells if cell.kind == "answer"}
    keys = [one.key for one in (*submission.repairs, *repairs, *rebuilt.repairs)]
    return answers, keys


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_graded_or_says_what_is_missing(hand_first, found, name):
    kind = KINDS[name]
    files = kind.make(hand_first.filled())
    if kind.graded == "none":
        with pytest.raises(Problem) as raised:
            outcome(hand_first, found, files)
        assert raised.value.remark.key == kind.key
        return
    answers, keys = outcome(hand_first, found, files)
    right = {one: code.split() for one, code in hand_first.right.items()}
    same = {one for one, code in answers.items() if " ".join(right[one]) in " ".join(code.split())}
    assert same if kind.graded == "some" else same == right.keys()
    assert (same == right.keys()) is (kind.graded == "all")
    assert kind.key in keys if kind.key else not {"cut", "damaged", "script"} & {*keys}


def test_an_answer_in_prose_is_saved_where_it_can_be(hand_first, found):
    notebook = hand_first.filled()
    question = next(
        cell for cell in notebook.cells
        if cell.cell_type == "markdown" and cell.metadata.get("nbgrader")
    )  # fmt: skip
    question.source = "Because the variance of a sum of products grows with its length."
    for name in (
        "cut off behind the last cell", "a script of Jupyter's", "a script of VS Code's"
    ):  # fmt: skip
        files = KINDS[name].make(notebook)
        files = files if isinstance(files, dict) else {NAME: files}
        result = found({f"{name}/01-attention/{file}": one for file, one in files.items()})
        submission = next(one for one in result.submissions if one.student == name)
        rebuilt, _repairs = chosen(hand_first.lesson, lambda _tag: hand_first.released, submission)
        texts = [cell.source for cell in rebuilt.notebook.cells if cell.cell_type == "markdown"]
        assert any("grows with its length" in text for text in texts), name


def test_what_is_told_has_steps_to_take():
    problems = REMARKS["problem"]
    assert ADVICE.keys() <= problems.keys()
    assert all(advice(Problem("pdf").remark)) and advice(Problem("pdf").remark) == SAVE_AND_CHECK


@pytest.mark.parametrize(
    "content",
    [
        b'{"cell_type": ' * 200_000,
        b'{"cell_type": "code", "source": "' + b"x" * 10**6,
        b'{"cell_type": [' + b"[" * 10**6,
        b'"' * 10**6,
        b"<<<<<<< a\n" * 100_000,
        b"<html>" + b'<div class="highlight hl-x"><pre>' * 50_000,
        b"# %%\n" * 200_000 + b"def f(): pass",
        b"@a\n" * 200_000 + b"def f(): pass",
        b'"""\n' * 100_000 + b"\ndef f(): pass",
        b"#\n\n" * 200_000 + b"# In[1]:\ndef f(): pass" + b"\n\n# x" * 100_000,
        b"```python\n" * 100_000,
    ],
)
def test_malicious_text_takes_seconds(content):
    begun = time.monotonic()
    try:
        for _saved in salvage(NAME, content):
            pass
    except Problem:
        pass
    assert time.monotonic() - begun < 20


def test_a_damaged_notebook_is_saved_within_its_cells_bounds(hand_first):
    notebook = hand_first.filled()
    notebook.cells *= 200
    with pytest.raises(Problem) as raised:
        list(salvage(NAME, json.dumps(notebook).encode()[:-9]))
    assert raised.value.remark.key == "too_many_cells"
    (saved,) = salvage(NAME, whole(hand_first.filled()))
    assert saved.repairs == ()
