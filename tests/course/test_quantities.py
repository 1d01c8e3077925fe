"""What has one value in all cases of a component hides mistakes: it is varied, or argued for."""

from collections import defaultdict

import pytest
import torch
from the_course import COURSE

BATCH = "sentences of one batch are judged each by itself, and other cases have other batches"
DOUBLE = "a size of the double that is given, which no component is told"

# By component: quantities with one value, and why that is enough.
ARGUED = {
    "MultiHeadAttention": {"first.size(-3)": BATCH, "second.size(-2)": "the first is varied"},
    "LayerNorm": {"x.size(-4)": BATCH},
    "PositionalEncoding": {"last_words.size(-3)": BATCH},
    "Decoder": {
        f"changed.size({axis})": "one case looks ahead; others vary x" for axis in (-1, -2, -3)
    },
    "Transformer": dict.fromkeys(
        ("kept.size(-2)", "other_src.size(-2)", "other_tgt.size(-2)"), BATCH
    ),
    "make_model": {"src.size(-2)": BATCH, "tgt.size(-2)": BATCH},
    "greedy_decode": {f"script.size({axis})": DOUBLE for axis in (-1, -2, -3, -4)},
    "beam_search": {f"script.size({axis})": DOUBLE for axis in (-1, -2, -3, -4)},
    "fuse": {"src_vocab": DOUBLE, "tgt_vocab": DOUBLE},
    "CachedDecoder": {"src_vocab": DOUBLE, "tgt_vocab": DOUBLE},
    "cached_greedy_decode": {"src_vocab": DOUBLE, "tgt_vocab": DOUBLE},
    "generate": {
        "prompts.size(-2)": BATCH,
        "rows": "so many are drawn that their shares say something",
        "scale": DOUBLE,
    },
}


def quantities(inputs):
    """Sizes of tensors, counted from the last axis, and plain numbers, flags and options."""
    for name, value in inputs.items():
        if isinstance(value, torch.Tensor):
            for axis in range(-value.dim(), 0):
                yield f"{name}.size({axis})", value.size(axis)
        elif value is None or isinstance(value, bool | int | float | str):
            yield name, value


def of_one_value(cases):
    """The quantities that are alike in all cases of a component, where more than one has them."""
    values, of_probe = defaultdict(list), defaultdict(set)
    for case in cases:
        for name, value in quantities(case.inputs):
            values[name].append(value)
            of_probe[case.probe].add(name)
    for case in cases:  # an option that some leave out has another value there
        for name in of_probe[case.probe] - {name for name, _ in quantities(case.inputs)}:
            values[name].append("left out")
    return {name for name, had in values.items() if len(had) > 1 and len(set(had)) == 1}


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_each_quantity_is_varied_or_argued_for(lesson):
    hidden = lesson.hidden("quantities")
    for component in lesson.components:
        tests = hidden.get(component, [])
        cases = [*lesson.visible()[component], *(case for test in tests for case in test.cases)]
        assert of_one_value(cases) == ARGUED.get(component, {}).keys(), component
