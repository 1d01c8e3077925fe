"""Numbers that a lesson's text states are those that its cells show.

Both are there only for cells that take a moment; a longer run's numbers are "what we got".
"""

import math
import re
from contextlib import redirect_stdout
from io import StringIO

import pytest
import torch
from the_course import COURSE
from torch import nn
from torch.nn import functional as F

import transformer_workbook as wb

NUMBER = r"(\d+(?:\.\d+)?)"


def text_of(id: str) -> str:
    cells = COURSE.lesson(id).narrative
    return " ".join(" ".join(cell.source for cell in cells if cell.kind == "markdown").split())


def assert_stated(id: str, sentence: str, *shown: float) -> None:
    """Each `#` of the sentence stands for a number, the next of those that cells show.

    They may differ by one in the last digit that is stated.
    """
    pattern = NUMBER.join(map(re.escape, sentence.split("#")))
    stated = re.search(pattern, text_of(id))
    assert stated, f"lesson {id} does not say {sentence!r}"
    for number, value in zip(stated.groups(), shown, strict=True):
        decimals = len(number.partition(".")[2])
        assert float(number) == pytest.approx(value, abs=1.01 * 10**-decimals), (sentence, shown)


class Cells:
    """Runs a lesson's cells, and keeps what they print and which curves they draw."""

    def __init__(self, id: str, monkeypatch) -> None:
        self.sources = {cell.name: cell.source for cell in COURSE.lesson(id).narrative}
        self.names = {"wb": wb, "torch": torch, "nn": nn, "F": F, "math": math}
        self.curves: dict = {}
        monkeypatch.setattr(wb.show, "curves", lambda curves, **_labels: self.curves.update(curves))

    def run(self, *names: str) -> str:
        printed = StringIO()
        with redirect_stdout(printed):
            for name in names:
                exec(self.sources[name], self.names)
        return printed.getvalue()

    def last(self, curve: str) -> float:
        return float(self.curves[curve][1][-1])

    def first(self, curve: str) -> float:
        return float(self.curves[curve][1][0])


@pytest.fixture(autouse=True)
def no_answers_of_ones_own(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def directions(printed: str) -> dict[str, float]:
    return {name: float(kept) for name, kept in re.findall(r"(.+): direction (.+)", printed)}


def test_lesson_03_what_each_half_of_the_box_lacks(monkeypatch):
    lesson, cells = "03-add-and-norm", Cells("03-add-and-norm", monkeypatch)
    monkeypatch.setattr(wb, "steps", lambda count: range(0))
    cells.run("deep-stack")
    cells.names["losses_of"] = lambda *_args: None  # the losses are "those of one computer"
    cells.run("four-ways")
    kept = directions(cells.run("gradients", "directions"))
    for name in cells.names["joins"]:
        assert_stated(lesson, f"| {name} | # | # |", cells.first(name), kept[name])
    cells.run("guess-sizes", "reveal-sizes")
    kept = directions(cells.run("gradients-of-both"))
    assert_stated(
        lesson, "from # at the first sublayer to # at the last",
        cells.first("post-norm"), cells.last("post-norm"),
    )  # fmt: skip
    assert_stated(
        lesson, "in post-norm its direction is less steady, at # against #",
        kept["post-norm"], kept["pre-norm"],
    )  # fmt: skip


def test_lesson_05_how_long_positions_are(monkeypatch):
    cells = Cells("05-embeddings-and-positions", monkeypatch)
    cells.run("why-scaled")
    at_512 = cells.names["sizes"].index(512)
    position, token = (cells.curves[name][1][at_512] for name in ("position", "token, not scaled"))
    assert_stated(
        "05-embeddings-and-positions",
        r"at $d_{model} = 512$ the position is # times as long",
        float(position / token),
    )


def test_lesson_08_how_large_the_papers_models_are(monkeypatch):
    lesson, cells = "08-full-model", Cells("08-full-model", monkeypatch)
    cells.run("paper-size")
    count, make = cells.names["count"], cells.names["make"]
    with torch.device("meta"):
        big = make(37000, 37000, d_model=1024, num_heads=16, d_ff=4096, tie_weights=True)
    assert_stated(lesson, "| base | 65 million | # million |", count(cells.names["paper"]) / 1e6)
    assert_stated(lesson, "| big | 213 million | # million |", count(big) / 1e6)


def test_lesson_09_a_guess_among_all_tokens(monkeypatch):
    cells = Cells("09-training", monkeypatch)
    cells.names["words"] = wb.number_words
    nothing, *_others = re.findall(r": +([\d.]+)", cells.run("three-writers"))
    assert_stated("09-training", "do you think the third one gets, from the # of", float(nothing))


def test_lesson_13_what_is_computed_again(monkeypatch):
    printed = Cells("13-cached-decoding", monkeypatch).run("without-a-cache")
    read, new = map(
        int, re.search(r"100 tokens: +(\d+) positions computed, (\d+)", printed).groups()
    )
    said = "For a translation of 100 tokens, # %"
    assert_stated("13-cached-decoding", said, 100 * (read - new) / read)
