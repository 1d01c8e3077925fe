"""GPT-2's published weights and sub-words (Radford et al. 2019), for the student's own classes.

    model, subwords = wb.gpt2.load(CausalLM, LearnedPositionalEmbedding, LayerNorm)

The files are those that Hugging Face publishes: the weights by name, as plain data, the vocabulary
and its merges. Each is downloaded once and checked against its SHA-256.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.hub import download_url_to_file

from ...shared.language import _
from ...shared.order_of_use import first_use, having, order_of_use, sorted_by_use

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ADDRESS = (
    "https://huggingface.co/openai-community/gpt2/resolve/607a30d783dfa663caf39e06633721c8d4cfcd7e"
)
CHECKSUMS = {
    "model.safetensors": "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707",
    "vocab.json": "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
    "merges.txt": "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
}
FOLDER = Path("gpt2")  # the cache, beside the notebook
# "The dog", continued greedily: what the tests of Hugging Face's transformers expect of its GPT-2.
THE_DOG = (
    464, 3290, 373, 1043, 287, 257, 2214, 1474, 262, 16246, 286, 2688, 290, 2688, 27262, 13, 198,
    198, 464, 3290,
)  # fmt: skip
_HEAD = 64  # features of a head, in every size of GPT-2
_EPS = 1e-5


class NoWeights(RuntimeError):
    """GPT-2's files are not available; the message says why, and what to do."""


def load(
    causal_lm: Callable[..., nn.Module],
    positions: Callable[..., nn.Module],
    norm: Callable[..., nn.Module],
    folder: str | os.PathLike = FOLDER,
) -> tuple[nn.Module, Tokenizer]:
    """GPT-2 in eval mode, made of the student's classes, and its tokenizer (of `tokenizers`).

    Takes the classes CausalLM, LearnedPositionalEmbedding and LayerNorm. The files are read from
    `folder`, and downloaded into it if they are not there. Raises NoWeights.
    """
    from safetensors.torch import load_file

    paths = {name: _fetched(name, Path(folder)) for name in CHECKSUMS}
    tensors = load_file(paths["model.safetensors"])  # mapped: each is read as it is copied
    model = model_of(tensors, causal_lm, positions, norm)
    return model, tokenizer(paths["vocab.json"], paths["merges.txt"])


def tokenizer(vocabulary: str | os.PathLike, merges: str | os.PathLike) -> Tokenizer:
    """GPT-2's byte-level BPE, as a tokenizers.Tokenizer."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    subwords = Tokenizer(models.BPE.from_file(str(vocabulary), str(merges)))
    subwords.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    subwords.decoder = decoders.ByteLevel()
    return subwords


def model_of(
    tensors: Mapping[str, torch.Tensor],
    causal_lm: Callable[..., nn.Module],
    positions: Callable[..., nn.Module],
    norm: Callable[..., nn.Module],
    num_heads: int | None = None,
) -> nn.Module:
    """A CausalLM, changed to be a GPT-2, with these weights; in eval mode.

    `tensors` have the names of the published file, such as "h.0.attn.c_attn.weight". Sizes are read
    off them, but for `num_heads`, which is d_model / 64 in GPT-2. Raises KeyError for a tensor that
    is missing, and ValueError if the model has not the parts of a CausalLM.
    """
    vocabulary, d_model = tensors["wte.weight"].shape
    places = tensors["wpe.weight"].size(0)
    layers = len({name.split(".")[1] for name in tensors if name.startswith("h.")})
    d_ff = tensors["h.0.mlp.c_fc.bias"].numel()
    heads = num_heads or d_model // _HEAD
    model = causal_lm(
        vocabulary, d_model, num_heads=heads, d_ff=d_ff, num_layers=layers, dropout=0.0
    )
    # In three things GPT-2 is no CausalLM of this course.
    model.embed.forward = model.embed.embedding.forward  # no factor, the root of d_model
    model.positions = positions(d_model, dropout=0.0, max_len=places)
    _replace(model, "w_1", _WithGELU)
    _replace(model, "gamma", lambda _old: norm(d_model, eps=_EPS))
    model.eval()
    _copy_weights(tensors, model, layers)
    return model


class _WithGELU(nn.Module):
    """A PositionwiseFeedForward with GELU, as GPT-2 approximates it, in place of ReLU."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.w_1, self.w_2 = network.w_1, network.w_2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.w_2(nn.functional.gelu(self.w_1(x), approximate="tanh"))


def _replace(model: nn.Module, mark: str, new: Callable) -> None:
    """Put new(part) in place of each part that has an attribute of that name."""
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if hasattr(child, mark):
                setattr(parent, name, new(child))


def _copy_weights(tensors: Mapping[str, torch.Tensor], model: nn.Module, layers: int) -> None:
    order = order_of_use(model, torch.zeros(1, 1, dtype=torch.long))
    attentions = _used(model, "w_q", layers, order)
    networks = _used(model, "w_1", layers, order)
    norms = _used(model, "gamma", 2 * layers + 1, order)
    with torch.no_grad():
        model.embed.embedding.weight.copy_(tensors["wte.weight"])  # and so the projection's
        model.positions.embedding.weight.copy_(tensors["wpe.weight"])
        for layer in range(layers):
            attention, network = f"h.{layer}.attn", f"h.{layer}.mlp"
            module = attentions[layer]
            # The published file has (in, out), as x W; an nn.Linear has (out, in).
            weights = tensors[f"{attention}.c_attn.weight"].T.chunk(3)
            biases = tensors[f"{attention}.c_attn.bias"].chunk(3)
            copied = [*zip((module.w_q, module.w_k, module.w_v), weights, biases, strict=True)]
            for linear, name in (
                (module.w_o, f"{attention}.c_proj"),
                (networks[layer].w_1, f"{network}.c_fc"),
                (networks[layer].w_2, f"{network}.c_proj"),
            ):
                copied.append((linear, tensors[f"{name}.weight"].T, tensors[f"{name}.bias"]))
            for linear, weight, bias in copied:
                linear.weight.copy_(weight)
                linear.bias.copy_(bias)
        of_layers = [f"h.{layer}.{name}" for layer in range(layers) for name in ("ln_1", "ln_2")]
        for norm, name in zip(norms, [*of_layers, "ln_f"], strict=True):
            norm.gamma.copy_(tensors[f"{name}.weight"])
            norm.beta.copy_(tensors[f"{name}.bias"])


def _used(model: nn.Module, mark: str, expected: int, order: dict[int, int]) -> list[nn.Module]:
    """The parts with an attribute of that name that the model uses, in that order.

    Raises ValueError if there are not `expected`.
    """
    parts = sorted_by_use(having(model, mark), order)
    used = [part for part in parts if first_use(part, order) < math.inf]
    if len(used) != expected:
        message = _(
            "A GPT-2 of this size uses {expected} parts with a {mark}, but your CausalLM uses "
            "{actual}. Do your checks of lessons 02 to 07 and of CausalLM pass?"
        )
        raise ValueError(message.format(expected=expected, mark=mark, actual=len(used)))
    return used


def _fetched(name: str, folder: Path) -> Path:
    """The path of one of the files in `folder`, downloaded if it is not there."""
    path = folder / name
    if path.is_file():
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == CHECKSUMS[name]:
                return path
        message = _("{path} is damaged or another version. Delete it, then run the cell again.")
        raise NoWeights(message.format(path=path))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        download_url_to_file(f"{ADDRESS}/{name}", str(path), CHECKSUMS[name])
    except (OSError, RuntimeError) as error:  # the second for another checksum
        message = _(
            "GPT-2: {name} could not be fetched from {address} ({reason}). Run the cell again, or "
            "put {files} in the folder {folder}. Nothing else in the lesson needs them."
        )
        said = {"name": name, "address": ADDRESS, "folder": folder, "files": ", ".join(CHECKSUMS)}
        raise NoWeights(message.format(reason=getattr(error, "reason", error), **said)) from error
    return path
