"""The same model, made fast: each part gives the same result as the one it takes the place of."""

import torch
from torch import nn
from torch.nn import functional as F

from transformer.add_and_norm import LayerNorm
from transformer.model import Generator
from transformer.multi_head_attention import MultiHeadAttention
from transformer.tensor_moves import merge_heads, split_heads


class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel: no weights are written to memory, nor kept.

    It shares the projections of the attention that it is made from.
    """

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        dropped = self.dropout.p if self.training else 0.0
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output


class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        return F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)


class FusedLabelSmoothing(nn.Module):
    """LabelSmoothing without the table of M x V targets: only three sums of it matter."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        certain = torch.tensor(self.confidence)
        doubt = torch.tensor(smoothing)
        self.entropy = (torch.xlogy(certain, certain) + torch.xlogy(doubt, self.share)).item()

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)  # (M, V)
        target = target.flatten()  # (M,)
        real = target != self.pad_id

        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)  # (M,)
        others = log_probs.sum(dim=-1) - log_probs[:, self.pad_id] - right
        divergence = self.entropy - self.confidence * right - self.share * others
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / real.sum().clamp(min=1)
        return loss


def fuse(model):
    """Put fused parts in place of a model's attentions, norms and generator; its weights stay."""
    for part in model.modules():
        for name, child in part.named_children():
            if isinstance(child, MultiHeadAttention):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif isinstance(child, LayerNorm):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, Generator):
                child.forward = child.proj  # the loss takes the log-softmax, once
    return model
