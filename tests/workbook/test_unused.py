"""What a wrong answer calculates, makes or is given, and never uses, is seen."""

import pytest

from transformer_workbook.diagnosis.unused import unused


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(x):\n    kept = g(x)\n    return h(x)\n", {"f kept"}),
        ("def f(x, mask=None):\n    return x\n", {"f parameter mask"}),
        ("class A:\n    def __init__(self, p):\n        self.drop = g(p)\n", {"self.drop"}),
        ("def f(x, device):\n    x.to(device)\n    return x\n", {"x.to(device)"}),
        ("def f(x):\n    x.masked_fill(x > 0, 1)\n    return x\n", {"x.masked_fill(x > 0, 1)"}),
        ("def f(x):\n    total = 0\n    total = x.sum()\n    return x\n", {"f total"}),
        ("def f(x, a, b):\n    return x\n", {"f parameter a", "f parameter b"}),
    ],
)
def test_what_is_not_used_is_seen(source, names):
    assert unused(source) == names


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
def test_what_is_used_is_not_seen(source):
    assert unused(source) == set()
