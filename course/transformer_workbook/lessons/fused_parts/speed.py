"""Measures speed: variants side by side, a profile, and the share of a device's peak.

    times = wb.speed.compare({"plain": step, "fused": other_step}, rounds=5)
    times.picture("plain")               # a bar for each: how many times as fast as "plain"
    wb.speed.profile(step)               # where the time of one call goes, as a table
    wb.speed.peak("cuda"), wb.speed.work(step)

Other programs slow a computer down at any moment, so only ratios of times from one run are
meaningful. Variants are run in turns, and their medians are compared.
"""

import os
import re
import statistics
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from ...shared.language import _
from ...shared.threads import one_thread
from ...show.picture import BLUE, MUTED, Picture, house_style, new_figure


def _in_16_bits(flops: float) -> dict[torch.dtype, float]:
    return {torch.bfloat16: flops, torch.float16: flops}


# FLOP/s of dense matrix products, from the makers' data sheets, by torch's whole name of the card:
# one of another form, one for laptops, or a part of one is slower.
PEAKS = {
    "B200": _in_16_bits(2250e12),
    "H200": _in_16_bits(989e12),
    "H100 80GB HBM3": _in_16_bits(989e12),  # SXM
    "A100-(SXM4|PCIE)-(40|80)GB|A100 80GB PCIe": _in_16_bits(312e12),
    "L4": _in_16_bits(121e12),
    "RTX 5090": _in_16_bits(209e12),
    "RTX 4090": _in_16_bits(165e12),
    "T4": {torch.float16: 65e12},
}


@dataclass(frozen=True)
class Times:
    """The median time of each variant, in seconds."""

    seconds: dict[str, float]

    def gains(self, baseline: str) -> dict[str, float]:
        """The speed-up of each variant over `baseline`. Raises KeyError for an unknown one."""
        return {name: self.seconds[baseline] / time for name, time in self.seconds.items()}

    def picture(self, baseline: str, title: str = "") -> Picture:
        """Draw the gains over `baseline` as bars."""
        title = title or _("Speed relative to {name}").format(name=baseline)
        return bars(self.gains(baseline), title)

    def __repr__(self) -> str:
        width = max(map(len, self.seconds))
        lines = [f"{name:{width}}  {1000 * time:9.2f} ms" for name, time in self.seconds.items()]
        return "\n".join(lines)


@one_thread()
def compare(variants: dict[str, Callable[[], object]], rounds: int = 5) -> Times:
    """Time the variants in turns, `rounds` times after one warm-up call of each.

    On a CPU, the process's own CPU time is measured, which other programs hardly affect. It is that
    of one thread: several would count the time that they wait for each other.
    """
    seconds = defaultdict(list)
    for turn in range(rounds + 1):
        for name, call in variants.items():
            elapsed = seconds_of(call)
            if turn:
                seconds[name].append(elapsed)
    return Times({name: statistics.median(times) for name, times in seconds.items()})


def seconds_of(call: Callable[[], object]) -> float:
    """Seconds that one call takes: wall-clock time with a GPU, until it is idle; else CPU time."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        torch.cuda.synchronize()
        return time.perf_counter() - start
    # The sum over all threads: `compare` has one.
    start = time.process_time()
    call()
    return time.process_time() - start


@one_thread()
def profile(call: Callable[[], object], rows: int = 8) -> str:
    """A table of torch's operations that take most of one call's time, `rows` of them.

    It is that of one call with one thread, after one that does not count. An operation's time is
    its own, without that of others which it calls.
    """
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # its messages look like errors
    activities = [torch.profiler.ProfilerActivity.CPU]
    if torch.cuda.is_available():
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    call()
    with warnings.catch_warnings():  # torch 2.11 warns that it forgets earlier cycles
        warnings.filterwarnings("ignore", ".*Profiler clears events")
        with torch.profiler.profile(activities=activities) as profiler:
            call()
    own_time = "self_device_time_total" if torch.cuda.is_available() else "self_cpu_time_total"
    times = {
        event.key: (getattr(event, own_time), event.count)
        for event in profiler.key_averages()
        # The time of a kernel is in that of the operation which launched it.
        if event.device_type == torch.autograd.DeviceType.CPU
    }
    total = sum(elapsed for elapsed, _count in times.values()) or 1
    longest = sorted(times, key=times.get, reverse=True)[:rows]
    head = "{:>6}  {:>7}  {}".format(_("share"), _("calls"), _("operation"))
    lines = [f"{times[name][0] / total:6.1%}  {times[name][1]:7}  {name}" for name in longest]
    return "\n".join([head, *lines])


def work(call: Callable[[], object]) -> int:
    """FLOPs of the matrix products in one call, as PyTorch counts them."""
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


def peak(device: str | torch.device = "cpu", dtype: torch.dtype | None = None) -> float:
    """A device's peak in FLOP/s: from PEAKS, or measured by a large matrix product."""
    device = torch.device(device)
    if device.type == "cuda" and (stated := stated_peak(torch.cuda.get_device_name(device), dtype)):
        return stated
    size = 4096 if device.type == "cuda" else 768
    left = torch.randn(size, size, device=device, dtype=dtype)
    times = compare({"product": lambda: left @ left}, rounds=5)
    return 2 * size**3 / times.seconds["product"]


def stated_peak(card: str, dtype: torch.dtype | None) -> float | None:
    """The peak in FLOP/s that a card's data sheet states; None where PEAKS does not have it."""
    for names, peaks in PEAKS.items():
        if re.fullmatch(f"(NVIDIA |Tesla |GeForce )*({names})", card):
            return peaks.get(dtype)
    return None


def name_parts(model: nn.Module, num_heads: int, dropout: float) -> nn.Module:
    """Add the attributes that lesson 12 reads, where the student's classes name them otherwise.

    Attentions get `num_heads` and `dropout`, norms get `eps`. Returns the model.
    """
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
    """Draw speed-ups by name as bars, with a line at 1."""
    figure = new_figure(9.0, 1.0 + 0.36 * len(gains))
    axes = figure.add_subplot()
    axes.barh(list(gains), list(gains.values()), color=BLUE, height=0.62)
    for row, gain in enumerate(gains.values()):
        beside = {"xytext": (5, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(f"{gain:.2f} ×", (gain, row), **beside)
    axes.axvline(1.0, color=MUTED, linewidth=1, linestyle=":")
    axes.invert_yaxis()
    axes.set(xlim=(0, 1.18 * max(gains.values())), title=title)
    axes.spines[["left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    listed = ", ".join(f"{name} {gain:.2f}" for name, gain in gains.items())
    return Picture(figure, f"{title}: {listed}.")
