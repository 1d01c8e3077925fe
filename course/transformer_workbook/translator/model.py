"""The trained translator of number words: its weights, and the models that are made with them."""

import importlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from unittest import mock

import torch
from torch import nn

from ..shared.language import _
from ..training.checkpoints import read_tensors
from ..training.number_words import ENGLISH, GERMAN, Config
from .knock_outs import KNOCK_OUTS

# How it was trained, and which numbers it has never seen.
SETTING = Config(num_layers=2, d_ff=128, train=20_000, epochs=12, factor=0.7)
WEIGHTS = Path(__file__).parent / "translator.safetensors"

STAND_INS = [
    importlib.import_module(f"transformer_workbook.standins.{name}")
    for name in (
        "warm_up", "attention", "multi_head_attention", "add_and_norm", "feed_forward",
        "embeddings_and_positions", "masks", "encoder_and_decoder", "full_model", "decoding",
    )
]  # fmt: skip


def trained(without: str = "") -> nn.Module:
    """The translator in eval mode, whole or without one part.

    Raises ValueError for a part that is none of KNOCK_OUTS.
    """
    if without and without not in KNOCK_OUTS:
        message = _("{actual!r} cannot be taken out; expected one of {known}.")
        raise ValueError(message.format(actual=without, known=", ".join(map(repr, KNOCK_OUTS))))
    return _trained(without)


@cache
def _trained(without: str) -> nn.Module:
    model = _new_model()
    model.load_state_dict(read_weights(WEIGHTS))
    model.requires_grad_(False)
    if without:
        KNOCK_OUTS[without].change(model)
    return model


def built_with(parts: Mapping[str, object]) -> nn.Module:
    """A translator in which components take the place of the stand-ins of their names.

    It has the trained weights. Raises ValueError if these do not fit the components.
    """
    with in_place(parts):
        model = _new_model()
    fill(model, trained(), ", ".join(parts))
    return model.requires_grad_(False)


def fill(model: nn.Module, trained: nn.Module, parts: str) -> None:
    """Copy the weights of a trained model into one that is built from a student's `parts`.

    They are matched by name. Where a part has other names, those of one kind are matched in their
    order: all of the decoder that end in w_q.weight, for example. Raises ValueError if they do
    not fit.
    """
    own, weights = dict(model.named_parameters()), dict(trained.named_parameters())
    expected = len(weights)
    if own.keys() != weights.keys():
        mine, theirs = (sorted(names, key=_kind) for names in (own, weights))
        if [*map(_kind, mine)] != [*map(_kind, theirs)]:
            mine, theirs = own, weights
        weights = dict(zip(mine, [weights[name] for name in theirs], strict=False))
    if len(own) != expected or any(own[name].shape != weights[name].shape for name in own):
        message = _(
            "The translator's trained weights do not fit your {names}: it has {actual} weights, "
            "and {expected} were expected, of the same shapes and in the same order."
        )
        raise ValueError(message.format(names=parts, actual=len(own), expected=expected))
    with torch.no_grad():
        for name, weight in own.items():
            weight.copy_(weights[name])


def _kind(name: str) -> str:
    """Both ends of a weight's name, without what students may name as they like: the layers."""
    first, *parts = name.split(".")
    return ".".join([first, *parts[-2 if parts[-1] in ("weight", "bias") else -1 :]])


def _new_model() -> nn.Module:
    with torch.random.fork_rng(devices=[]):
        return stand_in("make_model")(len(GERMAN), len(ENGLISH), **SETTING.sizes).eval()


@contextmanager
def in_place(parts: Mapping[str, object]) -> Iterator[None]:
    """Let components take the place of the stand-ins of their names, for a while."""
    with ExitStack() as stack:
        for name, part in parts.items():
            for module in STAND_INS:
                if hasattr(module, name):
                    stack.enter_context(mock.patch.object(module, name, part))
        yield


def stand_in(name: str):
    """The component of this name that is in place now."""
    return next(getattr(module, name) for module in reversed(STAND_INS) if hasattr(module, name))


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """The weights of a file, which holds them in half precision, in single precision."""
    tensors, _info = read_tensors(path)
    return {name: tensor.float() for name, tensor in tensors.items()}
