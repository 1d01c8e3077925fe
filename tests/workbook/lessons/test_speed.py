"""Measuring: what is counted and named; no test asks how fast anything is."""

import pytest
import torch
from torch import nn

from transformer_workbook.lessons.fused_parts import speed
from transformer_workbook.lessons.multi_head_attention.standins import MultiHeadAttention


def test_variants_run_in_turns_and_the_first_turn_does_not_count():
    called = []
    times = speed.compare({"a": lambda: called.append("a"), "b": lambda: called.append("b")}, 2)
    assert called == ["a", "b"] * 3
    assert list(times.seconds) == ["a", "b"] and "ms" in repr(times)


def test_variants_and_profiles_are_timed_with_one_thread_and_the_number_is_set_back():
    torch.set_num_threads(2)
    counts = []
    try:
        for measure in (lambda call: speed.compare({"a": call}, 1), speed.profile):
            measure(lambda: counts.append(torch.get_num_threads()))
        assert set(counts) == {1} and torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)


def test_gains_are_ratios_to_the_baseline():
    gains = speed.Times({"slow": 3.0, "fast": 1.5}).gains("slow")
    assert gains == {"slow": 1.0, "fast": 2.0}
    assert "fast 2.00" in str(speed.bars(gains, "gains"))


def test_work_counts_two_operations_for_each_weight_and_row():
    linear, x = nn.Linear(6, 5, bias=False), torch.randn(7, 6)
    assert speed.work(lambda: linear(x)) == 2 * 7 * 6 * 5


def test_a_profile_names_torchs_operations_the_longest_first():
    x = torch.randn(200, 200)
    _head, first, *others = speed.profile(lambda: x @ x, rows=3).splitlines()
    assert first.endswith("aten::mm") and len(others) < 3


def test_parts_that_are_called_otherwise_get_the_names_of_the_course():
    model = nn.ModuleList([MultiHeadAttention(8, 2)])
    del model[0].num_heads, model[0].dropout
    named = speed.name_parts(model, 2, 0.25)[0]
    assert named.num_heads == 2 and named.dropout.p == 0.25


@pytest.mark.parametrize(
    ("name", "tera"),
    [
        ("NVIDIA B200", 2250),
        ("NVIDIA H200", 989),
        ("NVIDIA H100 80GB HBM3", 989),
        ("NVIDIA A100 80GB PCIe", 312),
        ("Tesla T4", 65),
    ],
)
def test_a_cards_peak_is_that_of_its_data_sheet(name, tera, monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: name)
    assert speed.peak("cuda", torch.float16) == tera * 1e12


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("NVIDIA H100 80GB HBM3 MIG 1g.10gb", torch.float16),  # a part of a card
        ("GRID T4-8Q", torch.float16),
        ("NVIDIA A40", torch.float16),
        ("Tesla T4", torch.bfloat16),
        ("NVIDIA H200", torch.float32),
        ("NVIDIA H200", None),
    ],
)
def test_of_another_card_or_dtype_nothing_is_stated(name, dtype):
    assert speed.stated_peak(name, dtype) is None
