"""What GPT's layers became: rotary positions, shared keys and values, gates."""

import torch
from torch import nn
from torch.nn import functional as F

from transformer.tensor_moves import merge_heads, split_heads


def apply_rotary(x, start=0, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys, the first of them at position `start`; features 2i and 2i + 1 are a
    pair (Su et al. 2021). The result has the dtype of x, which may be in 16 bits.
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = first * angle.sin() + second * angle.cos()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2).type_as(x)
    return turned


class GroupedQueryAttention(nn.Module):
    """Self-attention in which several heads share their keys and values (Ainslie et al. 2023).

    Heads 0, 1, ... use the first of num_kv_heads keys and values, the next as many the second,
    and so on. `rotate`, which is apply_rotary, turns queries and keys; the first of x,
    (N, T, D), is at position `start`. No projection has a bias. `cache`, a KeyValueCache, keeps
    the shared keys and values of all calls, (N, num_kv_heads, T_k, d_k) each.
    """

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        kv_width = d_model // num_heads * num_kv_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, kv_width, bias=False)
        self.w_v = nn.Linear(d_model, kv_width, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None, start=0, cache=None):
        query = split_heads(self.w_q(x), self.num_heads)  # (N, H, T, d_k)
        key = split_heads(self.w_k(x), self.num_kv_heads)  # (N, H_kv, T, d_k)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        query, key = self.rotate(query, start), self.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)  # all so far, (N, H_kv, T_k, d_k)
        group = self.num_heads // self.num_kv_heads
        key, value = (shared.repeat_interleave(group, dim=1) for shared in (key, value))
        heads = F.scaled_dot_product_attention(query, key, value, mask)
        return self.w_o(merge_heads(heads))  # (N, T, D)


class LlamaLayer(nn.Module):
    """A layer of Llama (Touvron et al. 2023): RMSNorm first, grouped queries, SwiGLU."""

    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x, mask=None, start=0, cache=None):
        x = x + self.attention(self.attention_norm(x), mask, start, cache)
        normed = self.network_norm(x)
        gated = F.silu(self.w_gate(normed)) * self.w_up(normed)  # (N, T, d_ff)
        output = x + self.w_down(gated)
        return output
