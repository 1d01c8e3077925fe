"""The residual connection and the layer normalization around every sublayer, section 3.1."""

import torch
from torch import nn


class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output


class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            read = self.norm(x)
        else:
            read = x
        update = self.dropout(sublayer(read))
        total = x + update
        if self.norm_first:
            return total
        return self.norm(total)
