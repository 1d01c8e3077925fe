"""The same model, made fast: each part has the results of the one whose place it takes."""

import torch
from torch import nn
from torch.nn import functional as F

from transformer.tensor_moves import merge_heads, split_heads


class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel.

    The weights are neither written to memory nor kept. It shares the projections of the
    attention that it is made from, w_q, w_k, w_v and w_o. It also takes over num_heads, which
    decoding asks for, and dropout (an nn.Dropout). Masks mean the same as there. A
    query that sees no key gets what the kernel gives it (zeros, or nan in older versions of
    torch). Only padding can be such a query, and its result is not used.
    """

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        query, key, value = (
            split_heads(project(x), self.num_heads)  # (N, H, length, d_k)
            for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        dropped = 0.0
        if self.training:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))  # (N, T_q, D)


class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel, with gamma and beta, which are those of the given norm."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)
        return output


class FusedLabelSmoothing(nn.Module):
    """LabelSmoothing without its table of M x V targets: only two sums over it matter.

    The same loss for log_probs (N, T, V) or (M, V) and target (N, T) or (M,), section 5.4.
    """

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        # The sum of q * log(q) over the tokens: the same for every position.
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)  # (M, V)
        target = target.flatten()  # (M,)
        real = target != self.pad_id

        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)  # (M,)
        others = log_probs.sum(dim=1) - right - log_probs[:, self.pad_id]  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss


def fuse(model):
    """Put fast parts in place of a model's attentions and norms; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    model.train(model.training)  # new parts come in train mode
    return model
