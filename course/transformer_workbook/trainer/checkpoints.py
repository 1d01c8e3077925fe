"""Saves weights as safetensors files and training runs by torch.save: plain data, never code."""

import os
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import nn

from ..shared.files import whole
from ..shared.language import _
from ..shared.packing import plain_copy

# What the library raises for files that are none of its own.
_OF_DAMAGE = (AttributeError, KeyError, RuntimeError, SafetensorError, TypeError, ValueError)


class BadCheckpoint(ValueError):
    """A file that is damaged, or that belongs to another model or another run."""


def save_weights(model: nn.Module, path: str | os.PathLike) -> Path:
    """Write a model's weights to a .safetensors file; returns its path."""
    return write_tensors(path, model.state_dict())


def load_weights(model: nn.Module, path: str | os.PathLike) -> None:
    """Load the weights of a .safetensors file into a model of the same sizes.

    Raises BadCheckpoint, and leaves the model unchanged, if names or shapes do not fit.
    """
    tensors = read_tensors(path)
    message = _(
        "{path} belongs to another model: in it {name} is {actual}, in your model {expected} "
        "({more} more differ). Build the model with the sizes that the file was made with, or "
        "read another file."
    )
    _require_same_model(path, tensors, model, message)
    model.load_state_dict(tensors)


def write_tensors(path: str | os.PathLike, tensors: dict[str, torch.Tensor]) -> Path:
    """Write named tensors to a .safetensors file; returns its path. Raises OSError."""
    path = Path(path)
    with whole(path) as part:  # `save_file` lets only the owner read it
        part.write_bytes(save({name: plain_copy(tensor) for name, tensor in tensors.items()}))
    return path


def read_tensors(path: str | os.PathLike) -> dict[str, torch.Tensor]:
    """The named tensors of a .safetensors file. Raises BadCheckpoint for a damaged one, OSError."""
    try:
        return load(Path(path).read_bytes())
    except _OF_DAMAGE as error:
        raise _unreadable(path, error) from error


def save_run(path: Path, model, optimizer, scheduler, best: dict | None, info: dict) -> None:
    """Write all that is needed to resume exactly; `best` are weights, `info` is plain data."""
    state = {
        "model": model.state_dict(),
        "best": best,
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "random": _random_states(),
        "info": info,
    }
    with whole(path) as part:
        torch.save(state, part)


def read_run(path: Path) -> dict[str, Any]:
    """What `save_run` wrote. Raises BadCheckpoint if it is damaged or something else, OSError."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (RuntimeError, ValueError, EOFError, pickle.UnpicklingError) as error:
        raise _unreadable(path, error) from error
    if not isinstance(state, dict) or not {"model", "random", "info"} <= state.keys():
        message = _(
            "{path} holds no training run to continue; load_weights reads weights alone. Name "
            "another file, or start over with restart=True."
        )
        raise BadCheckpoint(message.format(path=path))
    return state


def resume_run(path: Path, state: dict[str, Any], model, optimizer, scheduler) -> None:
    """Go back to the `state` that was read in `path`, that of the RNGs included.

    Raises BadCheckpoint, and changes nothing, if it is of another model.
    """
    message = _(
        "{path} belongs to another model: in it {name} is {actual}, in your model {expected} "
        "({more} more differ). Build the model with the sizes that the file was made with, name "
        "another file, or start over with restart=True."
    )
    _require_same_model(path, state["model"], model, message)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    scheduler.load_state_dict(state["scheduler"])
    _set_random_states(state["random"])


def _random_states() -> dict[str, Any]:
    """The RNG states of Python, numpy, torch and every GPU."""
    kind, keys, *place = np.random.get_state()
    return {
        "python": random.getstate(),
        "numpy": (kind, keys.tolist(), *place),
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }


def _set_random_states(states: dict[str, Any]) -> None:
    random.setstate(states["python"])
    np.random.set_state(states["numpy"])
    torch.set_rng_state(states["torch"])
    for number, state in enumerate(states["cuda"][: torch.cuda.device_count()]):
        torch.cuda.set_rng_state(state, number)


def _unreadable(path: str | os.PathLike, error: Exception) -> BadCheckpoint:
    message = _(
        "{path} cannot be used, for it is damaged or another kind of file ({problem}). Delete it "
        "and run the cell again to start over, or use an undamaged copy."
    )
    problem = f"{type(error).__name__}: {error}".partition("\n")[0][:100]
    return BadCheckpoint(message.format(path=path, problem=problem))


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
