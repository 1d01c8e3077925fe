"""Stand-in for lesson 04."""

from itertools import pairwise

from torch import nn


class PositionwiseFeedForward(nn.Module):
    """Eq. 2 as a torch.nn.Sequential."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = (nn.Linear(*pair) for pair in pairwise([d_model, d_ff, d_model]))
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x):
        return nn.Sequential(self.w_1, nn.ReLU(), self.dropout, self.w_2)(x)
