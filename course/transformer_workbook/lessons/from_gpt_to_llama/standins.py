"""Stand-ins of lesson 15: a layer of Llama and its parts."""

import torch
from torch import nn


def apply_rotary(x, start=0, base=10000.0):
    """Pairs of features as complex numbers, each times one of length 1."""
    places, features = (torch.arange(size).to(x.device) for size in x.shape[-2:])
    turn = torch.outer(places + start, 1 / base ** (features[::2] / len(features)))
    hands = torch.view_as_complex((x + 0 * turn[:, :1]).unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(hands * torch.exp(1j * turn)).flatten(-2).type_as(x)


class GroupedQueryAttention(nn.Module):
    """Each group of heads asks its one key with all its queries at once."""

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.groups, self.d_k = num_kv_heads, d_model // num_heads
        self.rotate = apply_rotary
        widths = {"w_q": d_model, "w_o": d_model} | dict.fromkeys(
            ("w_k", "w_v"), self.groups * self.d_k
        )
        for name, width in widths.items():
            self.add_module(name, nn.Linear(d_model, width, bias=False))

    def _heads(self, name, x):
        made = self.get_submodule(name)(x)
        return made.unflatten(-1, (self.groups, -1, self.d_k)).permute(0, 2, 3, 1, 4)

    def forward(self, x, mask=None, start=0, cache=None):
        asked, keys, values = (self._heads(name, x) for name in ("w_q", "w_k", "w_v"))
        pair = self.rotate(keys, start), values  # (N, H_kv, 1, T, d_k) each
        if cache is not None:
            kept = cache.append(*(part.squeeze(2) for part in pair))
            pair = [part.unsqueeze(2) for part in kept]
        scores = self.rotate(asked, start).matmul(pair[0].mT) * self.d_k**-0.5
        if mask is not None:
            scores = scores.where(mask.unsqueeze(2), scores.new_tensor(-torch.inf))
        mixed = scores.softmax(dim=-1).matmul(pair[1])  # (N, H_kv, G, T, d_k)
        return self.get_submodule("w_o")(mixed.permute(0, 3, 1, 2, 4).flatten(2))


class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        for name in ("attention_norm", "network_norm"):
            self.add_module(name, nn.RMSNorm(d_model, eps=1e-6))
        for name in ("w_gate", "w_up"):
            self.add_module(name, nn.Linear(d_model, d_ff, bias=False))
        self.add_module("w_down", nn.Linear(d_ff, d_model, bias=False))

    def forward(self, x, mask=None, start=0, cache=None):
        part = self.get_submodule
        x = self.attention(part("attention_norm")(x), mask, start, cache).add(x)
        normed = part("network_norm")(x)
        opened = nn.functional.silu(part("w_gate")(normed)).mul(part("w_up")(normed))
        return part("w_down")(opened).add(x)
