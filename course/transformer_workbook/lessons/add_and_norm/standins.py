"""Stand-ins for lesson 03."""

import torch
from torch import nn

_layer_norm = torch.layer_norm


class LayerNorm(nn.Module):
    """As torch.nn.LayerNorm, with its weight called gamma and its bias beta."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        for name, start in {"gamma": 1.0, "beta": 0.0}.items():
            self.register_parameter(name, nn.Parameter(torch.full((d_model,), start)))
        self.eps = float(eps)

    def forward(self, x):
        return _layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)


class SublayerConnection(nn.Module):
    """Section 3.1: post-norm, or pre-norm with norm_first."""

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model=d_model)
        self.dropout = nn.Dropout(p=dropout)
        self.norm_first = bool(norm_first)

    def forward(self, x, sublayer):
        stages = [sublayer, self.dropout, x.add]
        stages.insert(0 if self.norm_first else len(stages), self.norm)
        result = x
        for stage in stages:
            result = stage(result)
        return result
