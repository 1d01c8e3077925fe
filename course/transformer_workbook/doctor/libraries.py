"""Prints as JSON whether the libraries work that have compiled parts; the doctor runs it.

Importing a broken package may crash Python, so the doctor does not import them itself.
"""

import importlib
import json
import sys
import traceback
import warnings


def facts() -> dict:
    """By library, the last line of the traceback of its problem, or ""; and torch's devices."""
    warnings.simplefilter("ignore")
    results: dict = {}
    for name in ("numpy", "matplotlib.pyplot", "safetensors", "torch"):
        results[name] = _try(lambda name=name: importlib.import_module(name))
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch and numpy and not results["torch"] and not results["numpy"]:
        results["together"] = _try(lambda: torch.from_numpy(numpy.ones(2)).add(1).numpy())
        results["cuda_build"] = torch.version.cuda or ""
        results["gpu"] = _gpu(torch)
    return results


def _try(call) -> str:
    try:
        call()
    except Exception as error:
        return traceback.format_exception_only(error)[-1].strip()
    return ""


def _gpu(torch) -> dict | None:
    """What `translation.detect` trains on, if it is a GPU; Apple's are left alone."""
    if torch.cuda.is_available():
        properties = torch.cuda.get_device_properties(0)
        return {
            "name": properties.name,
            "gib": round(properties.total_memory / 2**30),
            # GPUs before Ampere emulate bfloat16, slowly.
            "precision": "bfloat16" if properties.major >= 8 else "float16",
        }
    return None


if __name__ == "__main__":
    print(json.dumps(facts()))
