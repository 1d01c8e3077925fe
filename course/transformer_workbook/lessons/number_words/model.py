"""The trained translator of number words: its weights, and the models that are made with them."""

import importlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from unittest import mock

import torch
from torch import nn

from ...shared.language import _
from ...shared.order_of_use import order_of_use
from ...shared.probing import FIXED_NAMES, named_parameters
from ...trainer.checkpoints import read_tensors
from ..number_words.words import ENGLISH, GERMAN, Config
from .knock_outs import KNOCK_OUTS, KnockOut

# How it was trained, and which numbers it has never seen.
SETTING = Config(num_layers=2, d_ff=128, train=20_000, epochs=12, factor=0.7)
WEIGHTS = Path(__file__).parent / "translator.safetensors"

STAND_INS = [
    importlib.import_module(f"transformer_workbook.lessons.{name}.standins")
    for name in (
        "warm_up", "attention", "multi_head_attention", "add_and_norm", "feed_forward",
        "embeddings_and_positions", "masks", "encoder_and_decoder", "full_model", "decoding",
    )
]  # fmt: skip


def trained(without: str = "") -> nn.Module:
    """The translator in eval mode, whole or without one part.

    Raises ValueError for a part that is none of KNOCK_OUTS.
    """
    if without != "":
        knock_out(without)
    return _trained(without)


def knock_out(name: str) -> KnockOut:
    """The part of this name that can be taken out. Raises ValueError if there is none."""
    if name not in KNOCK_OUTS:
        message = _("{actual!r} cannot be taken out; expected one of {known}.")
        raise ValueError(message.format(actual=name, known=", ".join(map(repr, KNOCK_OUTS))))
    return KNOCK_OUTS[name]


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
    whole = trained()  # the first call builds it, and has to do so of the stand-ins
    with in_place(parts):
        model = _new_model()
        fill(model, whole, ", ".join(parts))
    return model.requires_grad_(False)


def fill(model: nn.Module, trained: nn.Module, parts: str) -> None:
    """Copy the weights of a trained model into one that is built from a student's `parts`.

    Those of one kind are matched in the order in which a translation uses them: all of the decoder
    that are a w_q.weight, for example. Raises ValueError if they do not fit.
    """
    parameters, weights = _in_order_of_use(model), _in_order_of_use(trained)
    mine, theirs = (sorted(names, key=_kind) for names in (parameters, weights))
    if [*map(_kind, mine)] != [*map(_kind, theirs)]:
        mine, theirs = parameters, weights
    pairs = [(parameters[my], weights[their]) for my, their in zip(mine, theirs, strict=False)]
    if len(parameters) != len(weights) or any(my.shape != their.shape for my, their in pairs):
        message = _(
            "The translator's trained weights do not fit your {names}: it has {actual} weights, "
            "and {expected} were expected, of the same shapes and in the same order."
        )
        raise ValueError(message.format(names=parts, actual=len(parameters), expected=len(weights)))
    with torch.no_grad():
        for my, their in pairs:
            my.copy_(their)


def _in_order_of_use(model: nn.Module) -> dict[str, nn.Parameter]:
    ids = torch.ones(1, 1, dtype=torch.long, device=next(model.parameters()).device)
    order = order_of_use(model, ids, ids)
    by_use = sorted(named_parameters(model), key=lambda pair: order.get(id(pair[1]), len(order)))
    return dict(by_use)


def _kind(name: str) -> str:
    """A weight's name without what students may name as they like: "decoder.w_q.weight"."""
    first, *parts = name.split(".")
    return ".".join([first, *(part for part in parts[-2:] if part in FIXED_NAMES)])


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
    return {name: tensor.float() for name, tensor in read_tensors(path).items()}
