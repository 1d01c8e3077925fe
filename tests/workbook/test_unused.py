"""What a wrong answer calculates, makes or is given, and never uses, is told."""

import pytest

from transformer_workbook.diagnosis.unused import remark, unused


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (
            "def f(x):\n    kept = g(x)\n    return h(x)\n",
            "Nothing uses `kept` after the line `kept = g(x)`.",
        ),
        ("def f(x, mask=None):\n    return x\n", "Nothing uses the parameter `mask` of `f`."),
        (
            "class A:\n    def __init__(self, p):\n        self.drop = g(p)\n",
            "Nothing uses `self.drop`.",
        ),
        (
            "def f(x, device):\n    x.to(device)\n    return x\n",
            "The result of `x.to(device)` is thrown away: it is a new tensor, and the old one "
            "stays as it was.",
        ),
        ("def f(x):\n    x.masked_fill(x > 0, 1)\n    return x\n", "The result of `x.masked_"),
        ("def f(x):\n    total = 0\n    total = x.sum()\n    return x\n", "Nothing uses `total`"),
    ],
)
def test_what_is_not_used_is_told(source, says):
    assert remark(source).startswith(says)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    kept = g(x)\n    return kept\n",
        "def f(x):\n    _kept = g(x)\n    return x\n",
        "def f(x):\n    total, rest = x\n    return total\n",
        "def f(xs):\n    last = 0\n    for x in xs:\n        g(last)\n        last = x\n",
        "def f(x):\n    return lambda y: x + y\n",
        "def f(x):\n    x.masked_fill_(x > 0, 1)\n    return x\n",
        "def f(model, device):\n    model.to(device)\n    return model\n",
        "def f(names, x):\n    names.add(x)\n    return names\n",
        "class A:\n    def f(self):\n        self.cuda = 1\n        return self.cuda\n",
        "def f(:",
        "x = '\0'",
    ],
)
def test_what_is_used_is_not_told(source):
    assert remark(source) == ""


def test_two_things_are_told_at_most_and_not_what_right_answers_do_not_use_either():
    source = "def f(x, a, b, c):\n    return x\n"
    assert remark(source).count("Nothing uses") == 2
    assert list(unused(source)) == ["f parameter a", "f parameter b", "f parameter c"]
    told = remark(source, ["f parameter a", "f parameter b"])
    assert told == "Nothing uses the parameter `c` of `f`."
