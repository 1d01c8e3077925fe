"""What a student's process may send in place of evidence, drawn by hypothesis."""

from collections.abc import Sequence

import torch
from hypothesis import strategies as st

from transformer_workbook.shared import packing
from transformer_workbook.shared.evidence import Failure

NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats() | st.booleans()
TEXTS = st.text(max_size=30) | st.sampled_from(
    ["passed", "{0}", "%s", "\ud800", "<script>", "0x" * 50, "$tensor"]
)
TENSORS = st.builds(
    lambda dtype, shape, number: torch.full(shape, number).to(dtype),
    st.sampled_from(packing.DTYPES),
    st.lists(st.integers(0, 3), max_size=4),
    st.sampled_from([0.0, 1.0, -1.0, 1e38, -1e38, float("nan"), float("inf")]),
)
TREES = st.recursive(
    st.none() | NUMBERS | TEXTS | TENSORS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
FAILURES = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(Failure.KINDS) | TEXTS,
        **dict.fromkeys(("type", "message", "line", "suggestion"), TEXTS),
    },
    optional={"names": TEXTS},
)


def evidence_with(
    tensors: Sequence[str], values: Sequence[str], of_tensors: st.SearchStrategy = TENSORS
) -> st.SearchStrategy:
    """Trees of evidence, right or not, with tensors and values of these names among others."""
    return st.fixed_dictionaries(
        {
            "tensors": st.dictionaries(st.sampled_from(tensors) | TEXTS, of_tensors, max_size=3),
            "values": st.dictionaries(
                st.sampled_from(["inputs_changed", *values]) | TEXTS, TREES, max_size=3
            ),
            "failure": st.none() | FAILURES | TREES,
        }
    )
