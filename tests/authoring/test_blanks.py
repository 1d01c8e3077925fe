"""Addresses of blanks: each names one place, or is an error that says where."""

import pytest

from autograder.errors import AuthoringError
from autograder.lesson.blanks import change, fill, locate, with_names

SOURCE = """
class Layer:
    def __init__(self, size):
        super().__init__()
        self.norm = norm(size, "é")
        if size % 2 != 0:
            raise ValueError("odd")

    def forward(self, x):
        y = self.norm(x) + x
        y = y * 2
        y[:, 0::2] = x[:, 1:]
        return y / 2
""".strip()


def found(address: str) -> str:
    span = locate(SOURCE, address)
    return SOURCE[span.start : span.end]


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("Layer.forward:y#1:self.norm(x)", "self.norm(x)"),
        ("Layer.forward:y#2", "y * 2"),
        ("Layer.forward:y[:, 0::2]", "x[:, 1:]"),
        ("Layer.forward:y[:, 0::2]:x", "x"),
        ("Layer.forward:return:y / 2", "y / 2"),
        ("Layer.__init__:self.norm", 'norm(size, "é")'),
        ("Layer.__init__:self.norm:size", "size"),
        ("Layer.__init__:if", "size % 2 != 0"),
        ("Layer.__init__:raise", 'ValueError("odd")'),
        ("Layer.__init__:call:super().__init__()", "super().__init__()"),
        ("Layer.forward:y#1:self.norm( x )", "self.norm(x)"),
    ],
)
def test_an_address_finds_its_expression(address, text):
    assert found(address) == text


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("Layer.forward:y", "is there 2 times"),
        ("Layer.forward:y#3", "defined 2 time"),
        ("Layer.forward:z", "nothing defines 'z'; defined are y"),
        ("Layer.backward:y", "no 'backward' in the component; there is __init__, forward"),
        ("Layer.forward:y#1:self.nrom(x)", "is not there, but `"),
        ("Layer.forward:y#1:self.norm(", "is no expression"),
        ("Layer.forward", "expected 'function:variable:expression'"),
        ("Layer.forward:y#1:x", "is there 2 times"),
    ],
)
def test_a_wrong_or_ambiguous_address_is_an_error_that_names_it(address, said):
    with pytest.raises(AuthoringError, match="address") as caught:
        found(address)
    assert said in str(caught.value)


def test_spans_are_filled_whatever_their_order():
    first, second = locate(SOURCE, "Layer.forward:y#1"), locate(SOURCE, "Layer.forward:y#2")
    filled = fill(SOURCE, [(second, "B"), (first, "A")])
    assert "y = A\n        y = B\n" in filled


def test_a_change_whose_text_is_not_there_once_is_an_error():
    with pytest.raises(AuthoringError, match="stands 0 times"):
        change(SOURCE, {"nowhere": "x"}, "here")
    with pytest.raises(AuthoringError, match="stands 2 times"):
        change(SOURCE, {"self.norm": "z"}, "here")


@pytest.mark.parametrize(
    ("released", "names", "line"),
    [
        ("scores = ____", ["scores"], "scores = ____"),
        ("    self.gamma = ____", ["gamma"], "    self.gamma = ____"),
        ("total += ____", ["total"], "total += ____"),
        ("scores = ____", ["masked"], "scores = ____  # blank: masked"),
        ("if ____:", ["which"], "if ____:  # blank: which"),
        ("____  # in train mode", ["mode"], "____  # in train mode; blank: mode"),
        ("scores = ____ / ____  # (T,)", ["scores", "scale"],
         "scores = ____ / ____  # (T,); blanks: scores, scale"),
        ("a = ____\nb = 1\nreturn ____", ["a", "b"], "a = ____\nb = 1\nreturn ____  # blank: b"),
    ],
)  # fmt: skip
def test_a_blank_is_named_in_its_line(released, names, line):
    assert with_names(released, names) == line
