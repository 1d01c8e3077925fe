"""Measuring: times side by side, where the time goes, and how much of a device's peak is reached.

    times = wb.speed.compare({"plain": step, "fused": other_step}, rounds=5)
    times.picture("plain")               # a bar for each: how many times as fast as "plain"
    wb.speed.profile(step)               # where the time of one call goes, as a table
    wb.speed.peak("cuda"), wb.speed.work(step)

Only ratios of times from one run mean anything: other programs slow a computer down at any moment.
So variants are run in turns, and what counts is the median.
"""

import re
import shutil
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from ..shared.explain import texts
from ..show.picture import BLUE, MUTED, Picture, house_style, new_figure

# Operations a second of matrix products without sparsity, as the makers state them.
PEAKS = {
    "H200": {torch.bfloat16: 989e12, torch.float16: 989e12},
    "H100": {torch.bfloat16: 989e12, torch.float16: 989e12},
    "A100": {torch.bfloat16: 312e12, torch.float16: 312e12},
    "T4": {torch.float16: 65e12},
}


@dataclass(frozen=True)
class Times:
    """The median seconds of each variant."""

    seconds: dict[str, float]

    def gains(self, baseline: str) -> dict[str, float]:
        """How many times as fast as `baseline` each variant is."""
        return {name: self.seconds[baseline] / one for name, one in self.seconds.items()}

    def picture(self, baseline: str, title: str = "") -> Picture:
        """A bar for each variant."""
        return bars(self.gains(baseline), title or texts()["speed"]["title"].format(name=baseline))

    def __repr__(self) -> str:
        width = max(map(len, self.seconds))
        return "\n".join(f"{name:{width}}  {1000 * one:9.1f} ms" for name, one in
                         self.seconds.items())  # fmt: skip


def compare(variants: dict[str, Callable[[], object]], rounds: int = 5) -> Times:
    """Call the variants in turns, `rounds` times after one call that does not count.

    On a CPU it is the time that the process itself has worked, so that others do not disturb.
    """
    seconds = defaultdict(list)
    for turn in range(rounds + 1):
        for name, call in variants.items():
            took = seconds_of(call)
            if turn:
                seconds[name].append(took)
    return Times({name: statistics.median(of) for name, of in seconds.items()})


def seconds_of(call: Callable[[], object]) -> float:
    """How long one call takes, until the device has done it all."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        torch.cuda.synchronize()
        return time.perf_counter() - start
    # All threads of the process count, so that this is no measure of how well they share.
    start = time.process_time()
    call()
    return time.process_time() - start


def profile(call: Callable[[], object], rows: int = 8) -> str:
    """Where the time of one call goes: kinds of operations, the longest first."""
    call()
    activities = [torch.profiler.ProfilerActivity.CPU]
    if torch.cuda.is_available():
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.profiler.profile(activities=activities) as found:
        call()
    attribute = "self_device_time_total" if torch.cuda.is_available() else "self_cpu_time_total"
    took, calls = defaultdict(float), defaultdict(int)
    for event in found.key_averages():
        if event.device_type != torch.autograd.DeviceType.CPU:
            continue  # a kernel: its time is that of the operation that launched it, too
        kind = _kind(event.key)
        took[kind] += getattr(event, attribute)
        calls[kind] += event.count
    total = sum(took.values()) or 1
    longest = sorted(took, key=took.get, reverse=True)[:rows]
    head = "{:>6}  {:>7}  {}".format(*texts()["speed"]["columns"].split("|"))
    lines = [f"{took[one] / total:6.1%}  {calls[one]:7}  {one}" for one in longest]
    return "\n".join([head, *lines])


def _kind(operation: str) -> str:
    """A name that a learner knows, where there is one."""
    for kind, marks in texts()["speed"]["kinds"].items():
        if any(mark in operation for mark in marks):
            return kind
    return operation.removeprefix("aten::")


def work(call: Callable[[], object]) -> int:
    """How many operations of matrix products one call does, as PyTorch counts them."""
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


def peak(device: str | torch.device = "cpu", dtype: torch.dtype | None = None) -> float:
    """How many operations a second a device can do: as stated by its maker, or as measured.

    A device that is not in the table, a CPU among them, is measured by a large matrix product.
    """
    device = torch.device(device)
    if device.type == "cuda":
        name = torch.cuda.get_device_name(device)
        for part, of in PEAKS.items():
            if part in re.split(r"[\s-]+", name) and dtype in of:
                return of[dtype]
    size = 4096 if device.type == "cuda" else 768
    left = torch.randn(size, size, device=device, dtype=dtype)
    times = compare({"product": lambda: left @ left}, rounds=5)
    return 2 * size**3 / times.seconds["product"]


def why_not_compile() -> str:
    """Why torch.compile cannot work here; empty if it can."""
    said = texts()["speed"]
    if torch.cuda.is_available():
        return ""
    return "" if shutil.which("g++") or shutil.which("clang++") else said["no_compiler"]


def name_parts(model: nn.Module, num_heads: int, dropout: float) -> nn.Module:
    """Give each attention its num_heads and dropout, where its own class calls them otherwise."""
    for part in model.modules():
        if hasattr(part, "w_q"):
            if not hasattr(part, "num_heads"):
                part.num_heads = num_heads
            if not isinstance(getattr(part, "dropout", None), nn.Dropout):
                part.dropout = nn.Dropout(dropout)
        elif hasattr(part, "gamma") and not hasattr(part, "eps"):
            part.eps = 1e-6
    return model


@house_style
def bars(gains: dict[str, float], title: str) -> Picture:
    """A bar for each gain, with its number; a line where nothing is gained."""
    if not gains:
        raise ValueError("bars was called without gains; expected {name: ratio}")
    figure = new_figure(9.0, 1.0 + 0.36 * len(gains))
    axes = figure.add_subplot()
    axes.barh(list(gains), list(gains.values()), color=BLUE, height=0.62)
    for row, gain in enumerate(gains.values()):
        axes.annotate(
            f"{gain:.2f} ×", (gain, row), xytext=(5, 0), textcoords="offset points", va="center"
        )
    axes.axvline(1.0, color=MUTED, linewidth=1, linestyle=":")
    axes.invert_yaxis()
    axes.set(xlim=(0, 1.18 * max(gains.values())), title=title)
    axes.spines[["left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    listed = ", ".join(f"{name} {gain:.2f}" for name, gain in gains.items())
    return Picture(figure, f"{title}: {listed}.")
