"""Tokens and positions as vectors, sections 3.4 and 3.5."""

import math

import torch
from torch import nn


class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * math.sqrt(self.d_model)
        return scaled


def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000.0 ** (-even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.cos(paired)
    return encoding


class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    The first one stands at position `start`. Raises ValueError if one stands past max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding, persistent=False)

    def forward(self, x, start=0):
        length = x.size(1)
        end = start + length
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[start:end]  # (T, D), the same for the whole batch
        output = self.dropout(x + encoding)
        return output


class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    The first one stands at position `start`. Raises ValueError if one stands past max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(start, end, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position))
        return output
