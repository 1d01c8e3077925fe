"""Finds the device of a run and the precision to train in, and tunes its allocator and kernels."""

import contextlib
import ctypes
import os
import sys
from dataclasses import dataclass

import torch

from ...shared.memory import memory

_AMPLE_MEMORY = 6 << 30  # bytes


@dataclass(frozen=True)
class Hardware:
    """A device, its name for people, and the dtype to autocast to (None: train in float32)."""

    name: str
    device: torch.device
    dtype: torch.dtype | None

    @property
    def scales_gradients(self) -> bool:
        """Whether gradients need scaling: in float16 small ones underflow to 0."""
        return self.dtype is torch.float16

    def scaler(self) -> torch.amp.GradScaler:
        """A gradient scaler; disabled except in float16."""
        return torch.amp.GradScaler(self.device.type, enabled=self.scales_gradients)

    def wait(self) -> None:
        """Synchronise with the device, before reading a clock."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)


def detect(device: str | torch.device | None = None) -> Hardware:
    """The named device, or the best one here, and the precision that suits it.

    bfloat16 where a GPU (or a CPU with enough memory) has it in hardware, float16 on older GPUs
    (T4), float32 elsewhere.
    """
    device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    if device.type == "cuda":
        # torch.cuda.is_bf16_supported() is also true where bfloat16 is emulated, as on a T4.
        major, _ = torch.cuda.get_device_capability(device)
        dtype = torch.bfloat16 if major >= 8 else torch.float16
        return Hardware(torch.cuda.get_device_name(device), device, dtype)
    # oneDNN caches its bfloat16 primitives by shape, which takes more than half a gigabyte.
    bfloat16 = device.type == "cpu" and _has_bfloat16() and memory() >= _AMPLE_MEMORY
    return Hardware(_processor(), device, torch.bfloat16 if bfloat16 else None)


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


def leave_out_cudnn_attention() -> None:
    """Turn off cuDNN's backend of scaled_dot_product_attention, torch's choice on large GPUs.

    It builds a plan for each new shape of a batch. Batches of sentences have hundreds of shapes,
    and building a plan takes longer than a step.
    """
    with contextlib.suppress(AttributeError):  # PyTorch before 2.5 has none
        torch.backends.cuda.enable_cudnn_sdp(False)


def keep_freed_memory() -> None:
    """Have glibc keep large freed blocks instead of returning them to the kernel at once.

    Each training step allocates the same hundreds of megabytes, and the kernel zeroes every page
    again: on some virtual machines that takes most of a step. Does nothing where memory is short,
    as on Binder, or where the C library is not glibc.
    """
    if not sys.platform.startswith("linux") or memory() < _AMPLE_MEMORY:
        return
    trim_threshold, top_pad, mmap_threshold = -1, -2, -3  # malloc.h
    try:
        library = ctypes.CDLL(None)
        library.mallopt(mmap_threshold, 1 << 30)
        library.mallopt(trim_threshold, (1 << 31) - 1)
        library.mallopt(top_pad, 256 << 20)
    except (AttributeError, OSError):
        return
