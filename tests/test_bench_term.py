"""The benchmark of a term: a small class through two lessons, by the commands themselves."""

import csv

from benchmarks import term


def test_a_small_class_through_two_weeks(tmp_path):
    told = []
    found = term.through_a_term(told.append, students=4, weeks=2, folder=tmp_path)
    assert [row[:3] for row in found.rows] == [
        ["00-warm-up", "3", "3"], ["01-attention", "7", "5"], ["once more", "7", "0"],
    ]  # fmt: skip
    assert all(len(row) == len(found.columns) for row in found.rows) and len(told) == 2
    with open(tmp_path / "out/summary.csv", newline="", encoding="utf-8") as file:
        rows = {(row["student"], row["lesson"]): row for row in csv.DictReader(file)}
    assert rows["s0003@uni.example", "00-warm-up"]["submitted"].startswith("2026-10-17")
    page = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    # That student handed in again, with the same mistake; another attempt is all that tells.
    assert "still there after handing in again: 1" in page
