"""Stand-ins for lesson 12."""

import torch
from torch import nn

from transformer_workbook.lessons.add_and_norm.standins import LayerNorm
from transformer_workbook.lessons.decoding.standins import beam_search, greedy_decode
from transformer_workbook.lessons.masks.standins import padding_mask
from transformer_workbook.lessons.training.standins import LabelSmoothing
from transformer_workbook.lessons.warm_up.standins import merge_heads, split_heads

_kernel = nn.functional.scaled_dot_product_attention


class FusedMultiHeadAttention(nn.Module):
    """Shares the projections of the given attention."""

    def __init__(self, attention):
        super().__init__()
        for part in ("w_q", "w_k", "w_v", "w_o", "dropout"):
            self.add_module(part, attention.get_submodule(part))
        self.num_heads = int(attention.num_heads)

    def forward(self, query, key, value, mask=None):
        inputs = {"q": query, "k": key, "v": value}
        projected = [self.get_submodule(f"w_{role}")(x) for role, x in inputs.items()]
        heads = [split_heads(x, num_heads=self.num_heads) for x in projected]
        rate = self.dropout.p * self.dropout.training
        return self.get_submodule("w_o")(
            merge_heads(_kernel(*heads, attn_mask=mask, dropout_p=rate))
        )


class FusedLayerNorm(LayerNorm):
    """Shares gamma and beta of the given norm."""

    def __init__(self, norm):
        super().__init__(len(norm.gamma), eps=norm.eps)
        for name in ("gamma", "beta"):
            self.register_parameter(name, norm.get_parameter(name))


class FusedLabelSmoothing(LabelSmoothing):
    """Section 5.4; the stand-in of lesson 09 makes no table either."""


class FastDropout(nn.Module):
    """Replaces an nn.Dropout."""

    def __init__(self, dropout):
        super().__init__()
        self.rate = dropout.p

    def forward(self, x):
        return nn.functional.dropout(x, p=self.rate, training=self.training)


_FUSED = {"w_q": FusedMultiHeadAttention, "gamma": FusedLayerNorm}


def fuse(model):
    """Replace every attention, norm and dropout in place, each in its mode; returns the model."""
    for path, part in list(model.named_modules()):
        for known_by, kind in _FUSED.items():
            if hasattr(part, known_by):
                model.set_submodule(path, kind(part).train(part.training))
        if isinstance(part, nn.Dropout) and not hasattr(_parent(model, path), "w_q"):
            model.set_submodule(path, FastDropout(part).train(part.training))
    return model


def _parent(model, path):
    return model.get_submodule(path.rpartition(".")[0])


class CachedMultiHeadAttention(nn.Module):
    """Caches the inputs that it has read, and projects them again at each step."""

    def __init__(self, attention):
        super().__init__()
        self.add_module("inner", FusedMultiHeadAttention(attention).eval())
        self.of_memory, self.read, self.sentence = False, None, slice(None)

    def forward(self, query, key, value, mask=None):
        self.of_memory = query is not key
        if self.of_memory:
            seen = key[self.sentence]
            visible = mask if mask is None else mask[self.sentence]
        else:
            seen = key if self.read is None else torch.hstack((self.read, key))
            self.read, visible = seen, mask
        return self.inner(query, seen, seen, mask=visible)

    def keep(self, rows, alive):
        if self.of_memory:
            self.sentence, _ = alive.nonzero(as_tuple=True)
        else:
            self.read = self.read.__getitem__(rows)


class CachedDecoder:
    """Decodes one position at a time in eval mode; restores the model on exit."""

    def __init__(self, model, src):
        self.of = model
        self.visible = padding_mask(src, pad_id=model.pad_id)
        self.mode = bool(model.training)  # gradients are the caller's business
        self.content = model.train(mode=False).encode(src, src_mask=self.visible)
        paths = model.decoder.named_modules()
        self.own = {path: part for path, part in paths if hasattr(part, "w_q")}
        self.caching = {path: CachedMultiHeadAttention(part) for path, part in self.own.items()}

    def _place(self, parts):
        for path, part in parts.items():
            self.of.decoder.set_submodule(path, part)

    def __enter__(self):
        self._place(self.caching)
        return self

    def __exit__(self, *problem):
        self._place(self.own)
        self.of.train(mode=self.mode)

    def step(self, ids):
        last = self.of.tgt_embed(ids).narrow(1, ids.shape[1] - 1, 1)
        seen = padding_mask(ids, pad_id=self.of.pad_id)
        vectors = self.of.decoder(last, self.content, src_mask=self.visible, tgt_mask=seen)
        return self.of.generator(vectors.squeeze(1))

    def keep(self, rows, alive):
        if isinstance(alive, torch.Tensor) and alive.dim() != 2:
            found = tuple(alive.shape)
            raise ValueError(f"keep needs alive of shape (N, B), but got {found}")
        for one in self.caching.values():
            one.keep(rows=rows, alive=alive)


def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids (N, length) of greedy_decode."""
    return greedy_decode(model, src, max_len, bos_id, eos_id)


def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids (N, length) of beam_search."""
    return beam_search(model, src, max_len, bos_id, eos_id, beam_size, length_penalty)
