"""Small tensors are shown whole, what came beside what was expected."""

import re
from html.parser import HTMLParser

import pytest
import torch

from transformer_workbook.diagnosis.compare import Expected, Rule, compare
from transformer_workbook.diagnosis.finding_sentences import explain
from transformer_workbook.diagnosis.grids import as_html, as_text, grids
from transformer_workbook.shared.evidence import Evidence


def finding_on(actual, expected, rule=None, masks=None, other=None):
    """The finding on the evidence "output" that came."""
    student, reference = (
        Evidence({"output": value})
        if isinstance(value, torch.Tensor)
        else Evidence({}, {"output": value})
        for value in (actual, expected)
    )
    if other is not None:
        for evidence in (student, reference):
            evidence.tensors["other"] = other
    rules = {"output": rule} if rule else {}
    return compare(student, Expected(reference, rules, masks or {}))[0]


def test_unlike_entries_are_marked_in_both_grids():
    finding = finding_on(torch.tensor([[1, 2], [3, 9]]), torch.tensor([[1, 2], [3, 4]]))
    assert as_text(grids(finding)) == (
        "output: returned (2, 2)    output: expected (2, 2)\n"
        "     0    1                     0    1\n"
        "[0]  1    2                [0]  1    2\n"
        "[1]  3  ≠ 9                [1]  3  ≠ 4\n"
        "≠ marks what differs."
    )


def test_where_all_entries_differ_none_is_marked():
    expected = torch.tensor([[0.5, 0.5], [0.25, 0.75]])
    text = as_text(grids(finding_on(expected * 2, expected)))
    assert "[1]  0.500  1.500" in text and "≠" not in text
    assert text.endswith("All entries differ.")


def test_a_mask_is_drawn_as_squares():
    finding = finding_on(torch.tensor([True, True]), torch.tensor([True, False]))
    assert as_text(grids(finding)) == (
        "output: returned (2,)    output: expected (2,)\n"
        "  0    1                   0    1\n"
        "  ■  ≠ ■                   ■  ≠ □\n"
        "■ is True, □ is False. ≠ marks what differs."
    )


@pytest.mark.parametrize(
    ("actual", "expected", "texts"),
    [
        (float("nan"), 1.0, ["nan", "1.000"]),
        (float("-inf"), 0.0, ["-inf", "0.000"]),
        (-3.4028234e38, 0.5, ["-3.403e+38", "0.500"]),
        (1e-9, 0.0, ["1e-09", "0"]),
        (1.00002, 1.0002, ["1.00002", "1.00020"]),
        (0.30000001, 0.3, ["0.30000001", "0.3"]),
    ],
)
def test_numbers_of_all_sizes_can_be_told_apart(actual, expected, texts):
    numbers = [torch.tensor(value, dtype=torch.float64) for value in (actual, expected)]
    rule = Rule(atol=0.0, rtol=1e-12)
    shown = [grid["rows"][0][1][0][0] for grid in grids(finding_on(*numbers, rule))]
    assert shown == texts


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 2, 3), (1, 2, 3, 2)])
def test_tensors_of_up_to_four_axes_have_a_row_for_each_of_their_rows(shape):
    expected = torch.zeros(shape)
    actual = expected.clone()
    actual.view(-1)[0] = 1
    for grid in grids(finding_on(actual, expected)):
        entries = [cell for _label, cells in grid["rows"] for cell in cells]
        assert len(entries) == expected.numel()
        assert [bad for *_text, bad in entries].count(True) == 1
        if len(shape) > 1:
            assert grid["rows"][0][0] == str([0] * (len(shape) - 1))


def test_tensors_of_unlike_shapes_are_shown_without_marks():
    shown = grids(finding_on(torch.ones(2), torch.ones(1, 2)))
    assert [grid["legend"] for grid in shown] == [[], []]
    for odd in (torch.ones(0, 2), torch.ones([1] * 20), torch.ones(2).to_sparse()):
        assert not grids(finding_on(odd, torch.ones(1, 2)))


def test_what_is_not_compared_is_not_told():
    mask = torch.tensor([True, False])
    finding = finding_on(
        torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), Rule(where="m"), {"m": mask}
    )
    _came, expected = grids(finding)
    assert [cell[0] for cell in expected["rows"][0][1]] == ["3.000", "·"]
    finding = finding_on(torch.tensor([float("nan")]), torch.tensor([3.0]), Rule("finite"))
    assert len(grids(finding)) == 1


def test_two_values_of_the_students_own_are_shown_under_their_names():
    finding = finding_on(
        torch.ones(2), torch.ones(2), Rule("same", other="other"), other=torch.zeros(2)
    )
    assert [grid["caption"] for grid in grids(finding, hidden=True)] == [
        "output (2,)",
        "other (2,)",
    ]


def test_lists_of_numbers_are_rows_and_may_be_of_unlike_lengths():
    text = as_text(grids(finding_on([[1, 2], [3]], [[1, 2], [4, 5]])))
    assert text == (
        "output: returned    output: expected\n"
        "       0    1              0    1\n"
        "[0]    1    2       [0]    1    2\n"
        "[1]  ≠ 3  ≠ –       [1]  ≠ 4  ≠ 5\n"
        "≠ marks what differs."
    )
    assert not grids(finding_on(["<script>"], ["a"]))
    assert not grids(finding_on([10**5000], [1]))
    assert not grids(finding_on([[1], *[[]] * 1000], [1]))


def test_captions_use_the_words_of_the_probe():
    finding = finding_on(torch.tensor([1.0, 5.0]), torch.tensor([1.0, 7.0]))
    captions = [grid["caption"] for grid in grids(finding, words={"output": "the mean"})]
    assert captions == ["The mean: returned (2,)", "The mean: expected (2,)"]


def test_hidden_cases_do_not_tell_what_was_expected():
    finding = finding_on(torch.tensor([1.0, 5.0, 6.0]), torch.tensor([1.0, 7.25, 8.0]))
    (grid,) = grids(finding, hidden=True)
    assert "7.25" not in str(grid)
    # Marks on a mask would tell the whole of it.
    finding = finding_on(torch.tensor([True] * 4), torch.tensor([True, False, True, False]))
    (grid,) = grids(finding, hidden=True)
    assert [bad for *_text, bad in grid["rows"][0][1]] == [False, True, False, False]
    assert not grids(finding_on([1], [2]), hidden=True)


def test_a_large_tensor_is_not_shown_but_its_wrong_numbers_are_counted():
    expected = torch.zeros(2, 8, 8)
    actual = expected.clone()
    actual[1, 3:5, 2] = 1
    finding = finding_on(actual, expected)
    assert not grids(finding)
    assert explain(finding, "f") == (
        "The output at [1, 3, 2] is 1; expected 0 (2 of 128 numbers differ)."
    )
    actual[:] = 1
    assert "(128 of 128 numbers differ)" in explain(finding_on(actual, expected), "f")


def test_a_large_tensor_with_numbers_that_are_not_finite_counts_them():
    actual = torch.zeros(8, 8)
    actual[2] = float("nan")
    assert explain(finding_on(actual, torch.zeros(8, 8)), "f") == (
        "The output at [2, 0] is nan; it should be a finite number (0). In all, 8 of 64 numbers "
        "are wrong. That comes, for example, from too large a number in exp, a logarithm of 0, a "
        "division by 0, 0 times infinity, the root of a negative number."
    )


class Tables(HTMLParser):
    """Reads tables, and holds that each tag is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.seen.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_page_holds_real_tables_that_can_be_read_out():
    shown = grids(finding_on(torch.tensor([[True, True]]), torch.tensor([[True, False]])))
    shown[0]["caption"] = "<script>alert(1)</script>"
    text = as_html(shown)
    seen = Tables(text).seen
    tags = [tag for tag, _attributes in seen]
    assert tags.count("table") == tags.count("caption") == 2
    assert {attributes["scope"] for tag, attributes in seen if tag == "th"} == {"row", "col"}
    assert "script" not in tags and "&lt;script&gt;" in text
    words = [attributes["aria-label"] for tag, attributes in seen if tag == "span"]
    assert words == ["True", "differs:", "True", "True", "differs:", "False"]
    assert re.search(r"<td [^>]*bold[^>]*>.*≠", text)
