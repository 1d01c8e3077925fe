"""What a run has to run on: the device, the precision it is good at, and how to train there."""

import contextlib
import ctypes
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import torch

_ROOMY = 6 << 30  # bytes
_LIMITS = (  # of a container: cgroup v2 and v1
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


@dataclass(frozen=True)
class Hardware:
    """A device, what it is called, and the dtype of its matrix products (None: float32)."""

    name: str
    device: torch.device
    dtype: torch.dtype | None

    @property
    def scales_gradients(self) -> bool:
        """float16 has so few exponents that small gradients become 0 unless scaled up."""
        return self.dtype is torch.float16

    def scaler(self) -> torch.amp.GradScaler:
        """The scaler for this precision: one that does nothing, but in float16."""
        return torch.amp.GradScaler(self.device.type, enabled=self.scales_gradients)

    def wait(self) -> None:
        """Wait until the device has done all that it was told: before reading a clock."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)


def detect(
    device: str | torch.device | None = None, precision: torch.dtype | None = None
) -> Hardware:
    """The best device here, or the one that is named, and the precision it is good at.

    bfloat16 where a GPU (or a processor with enough memory) computes with it, float16 on GPUs
    before that (T4), float32 elsewhere; `precision` overrides that.
    """
    found = _best(device)
    if precision is None:
        return found
    return replace(found, dtype=None if precision is torch.float32 else precision)


def _best(device: str | torch.device | None) -> Hardware:
    device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    if device.type == "cuda":
        # is_bf16_supported is also true where bfloat16 is only emulated, slowly, as on a T4.
        major, _ = torch.cuda.get_device_capability(device)
        dtype = torch.bfloat16 if major >= 8 else torch.float16
        return Hardware(torch.cuda.get_device_name(device), device, dtype)
    # What is prepared for bfloat16 is kept for each shape, which takes more than half a gigabyte.
    half = device.type == "cpu" and _has_bfloat16() and memory() >= _ROOMY
    return Hardware(_processor(), device, torch.bfloat16 if half else None)


def _has_bfloat16() -> bool:
    try:
        flags = torch.backends.cpu.get_cpu_capability()
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            words = set(file.read().split())
    except (AttributeError, OSError):
        return False
    return "AVX512" in flags and bool({"avx512_bf16", "amx_bf16"} & words)


def _processor() -> str:
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"CPU ({count} cores)"


def memory() -> int:
    """How many bytes of memory a process may have here: the machine's, or its container's."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for limit in _LIMITS:
        with contextlib.suppress(OSError, ValueError):  # not there, or "max"
            sizes.append(int(limit.read_text()))
    return min(sizes)


def leave_out_cudnn_attention() -> None:
    """Have scaled_dot_product_attention computed by PyTorch's own kernels.

    cuDNN's, which newer versions of PyTorch take on large GPUs, makes a plan for each new shape of
    a batch. Batches of sentences have hundreds of shapes, and a plan takes longer than a step.
    """
    with contextlib.suppress(AttributeError):  # PyTorch before 2.5 has none
        torch.backends.cuda.enable_cudnn_sdp(False)


def keep_freed_memory() -> None:
    """Let the C library keep large blocks that were freed, instead of handing them back at once.

    Training asks for the same hundreds of megabytes at each step, and each time the system fills
    them with zeros, page by page: on some virtual machines that takes most of the time. Kept blocks
    need room, though: where there is little memory, as on Binder, and where the C library is not
    glibc, nothing happens.
    """
    if not sys.platform.startswith("linux") or memory() < _ROOMY:
        return
    trim_threshold, top_pad, mmap_threshold = -1, -2, -3  # malloc.h
    try:
        library = ctypes.CDLL(None)
        library.mallopt(mmap_threshold, 1 << 30)
        library.mallopt(trim_threshold, (1 << 31) - 1)
        library.mallopt(top_pad, 256 << 20)
    except (AttributeError, OSError):
        return
