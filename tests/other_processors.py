"""Settings under which torch, MKL and oneDNN compute as on processors unlike this one."""

import os

OTHER_PROCESSORS = {
    "no-vectors": {
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
    },
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
    },
    "mkl-compatible": {"MKL_CBWR": "COMPATIBLE"},
}


def as_on(processor: str, threads: int = 1) -> dict[str, str]:
    """The environment of a process that computes as that processor does."""
    count = str(threads)
    return {
        **os.environ,
        **OTHER_PROCESSORS[processor],
        "OMP_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
    }
