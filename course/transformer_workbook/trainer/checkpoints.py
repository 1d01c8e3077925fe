"""Saves weights and training runs as safetensors files: plain data, never code."""

import hashlib
import json
import os
import random
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import nn

from ..shared.files import whole
from ..shared.language import _
from ..shared.packing import has_whole_header, header_size, metadata_of, plain_copy

_INFO, _DIGEST = "transformer_workbook", "sha256"  # in the metadata
_UNREADABLE = (AttributeError, KeyError, RuntimeError, SafetensorError, TypeError, ValueError)


class BadCheckpoint(ValueError):
    """A file that is damaged, or that belongs to another model or another run."""


def no_run(path) -> BadCheckpoint:
    """The error for a file without a training run."""
    message = _(
        "{path} holds no training run to continue; load_weights reads weights alone. Name another "
        "file, or start over with restart=True."
    )
    return BadCheckpoint(message.format(path=path))


# Weights alone.


def save_weights(model: nn.Module, path: str | os.PathLike) -> Path:
    """Write a model's weights to a .safetensors file; returns its path."""
    return write_tensors(path, model.state_dict())


def load_weights(model: nn.Module, path: str | os.PathLike) -> None:
    """Load the weights of a .safetensors file into a model of the same sizes.

    Raises BadCheckpoint, and leaves the model unchanged, if names or shapes do not fit.
    """
    tensors, _info = read_tensors(path)
    message = _(
        "{path} belongs to another model: in it {name} is {actual}, in your model {expected} "
        "({more} more differ). Build the model with the sizes that the file was made with, or "
        "read another file."
    )
    _require_same_model(path, tensors, model, message)
    model.load_state_dict(tensors)


def _require_same_model(path, tensors: dict[str, torch.Tensor], model, message: str) -> None:
    """Raise BadCheckpoint with `message` unless names and shapes are the model's."""
    actual = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    expected = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    if actual == expected:
        return
    # In the order of the model, which begins with the outermost difference.
    differ = [name for name in [*expected, *actual] if actual.get(name) != expected.get(name)]
    first = differ[0]
    raise BadCheckpoint(
        message.format(
            path=path,
            name=first,
            actual=actual.get(first, _("not there")),
            expected=expected.get(first, _("not there")),
            more=len(set(differ)) - 1,
        )
    )


# A whole run: weights, optimizer, scheduler, RNG states, and its progress.


def save_run(path, model, optimizer, scheduler, best: dict | None, info: dict) -> Path:
    """Write all that is needed to resume exactly; `best` are weights, `info` is JSON data."""
    tensors = {f"model.{name}": tensor for name, tensor in model.state_dict().items()}
    tensors |= {f"best.{name}": tensor for name, tensor in (best or {}).items()}
    state = optimizer.state_dict()
    plain: dict[str, dict] = {}  # the optimizer's values that are no tensors
    for index, entries in state["state"].items():
        for key, value in entries.items():
            if isinstance(value, torch.Tensor):
                tensors[f"optimizer.{index}.{key}"] = value
            else:
                plain.setdefault(str(index), {})[key] = value
    tensors |= {f"random.{name}": tensor for name, tensor in _rng_states().items()}
    info = {
        **info,
        "optimizer": {"groups": state["param_groups"], "plain": plain},
        "scheduler": scheduler.state_dict(),
        "python": random.getstate(),
    }
    return write_tensors(path, tensors, info)


def load_run(path, model, optimizer, scheduler) -> tuple[dict | None, dict]:
    """Restore what `save_run` wrote, RNG states included; returns the best weights and `info`.

    Raises BadCheckpoint, and changes nothing, if the file is damaged or of another model.
    """
    tensors, info = read_tensors(path)
    parts: dict[str, dict] = {"model": {}, "best": {}, "optimizer": {}, "random": {}}
    for name, tensor in tensors.items():
        kind, _dot, rest = name.partition(".")
        parts.setdefault(kind, {})[rest] = tensor
    if not {"optimizer", "scheduler", "python"} <= info.keys() or not parts["model"]:
        raise no_run(path)
    message = _(
        "{path} belongs to another model: in it {name} is {actual}, in your model {expected} "
        "({more} more differ). Build the model with the sizes that the file was made with, name "
        "another file, or start over with restart=True."
    )
    _require_same_model(path, parts["model"], model, message)

    plain = info["optimizer"]["plain"]
    state: dict[int, dict] = {int(index): dict(values) for index, values in plain.items()}
    for name, tensor in parts["optimizer"].items():
        index, _dot, key = name.partition(".")
        state.setdefault(int(index), {})[key] = tensor
    model.load_state_dict(parts["model"])
    optimizer.load_state_dict({"state": state, "param_groups": info["optimizer"]["groups"]})
    scheduler.load_state_dict(info["scheduler"])
    version, internal, gauss_next = info["python"]
    random.setstate((version, tuple(internal), gauss_next))
    _set_rng_states(parts["random"])
    return parts["best"] or None, info


def _rng_states() -> dict[str, torch.Tensor]:
    """The RNG states of torch, numpy and every GPU."""
    _kind, keys, position, has_gauss, cached_gauss = np.random.get_state()
    states = {
        "torch": torch.get_rng_state(),
        "numpy": torch.from_numpy(keys.astype(np.int64)),
        "numpy_place": torch.tensor([position, has_gauss], dtype=torch.int64),
        "numpy_spare": torch.tensor(cached_gauss, dtype=torch.float64),
    }
    if torch.cuda.is_available():
        for number, state in enumerate(torch.cuda.get_rng_state_all()):
            states[f"cuda{number}"] = state
    return states


def _set_rng_states(states: dict[str, torch.Tensor]) -> None:
    torch.set_rng_state(states["torch"])
    keys = states["numpy"].numpy().astype(np.uint32)
    position, has_gauss = states["numpy_place"].tolist()
    np.random.set_state(("MT19937", keys, position, has_gauss, states["numpy_spare"].item()))
    for number in range(torch.cuda.device_count()):
        if f"cuda{number}" in states:
            torch.cuda.set_rng_state(states[f"cuda{number}"], number)


# The format.


def write_tensors(path, tensors: dict[str, torch.Tensor], info: dict | None = None) -> Path:
    """Write named tensors, and JSON data as metadata, to a .safetensors file; returns its path.

    Raises KeyError for a dtype that the format does not have, and OSError.
    """
    path = Path(path)
    tensors = {name: plain_copy(tensor) for name, tensor in tensors.items()}
    # The library decides on the order of the bytes, and takes no digest of them.
    metadata = {_INFO: json.dumps(info or {}), _DIGEST: _digest(save(tensors))}
    with whole(path) as part:
        part.write_bytes(save(tensors, metadata))  # `save_file` lets only the owner read it
    return path


def read_tensors(path) -> tuple[dict[str, torch.Tensor], dict]:
    """The named tensors of a .safetensors file, and the JSON data of `write_tensors`.

    Raises BadCheckpoint if it is not such a file or is damaged, and OSError.
    """
    raw = Path(path).read_bytes()
    try:
        if not has_whole_header(raw):
            raise ValueError(_("its header is cut off"))
        metadata = metadata_of(raw)
        if _DIGEST in metadata and _digest(raw) != metadata[_DIGEST]:
            raise ValueError(_("its bytes are not those that were written"))
        return load(raw), json.loads(metadata.get(_INFO, "{}"))
    except _UNREADABLE as error:
        problem = str(error) if type(error) is ValueError else _("its header is not readable")
        message = _(
            "{path} cannot be used: {problem}. Delete it and run the cell again to start over, or "
            "use an undamaged copy."
        )
        raise BadCheckpoint(message.format(path=path, problem=problem)) from error


def _digest(raw: bytes) -> str:
    """The SHA-256 of the tensors' bytes in a safetensors file, which the format itself lacks."""
    return hashlib.sha256(memoryview(raw)[8 + header_size(raw) :]).hexdigest()
