"""Stand-ins for lesson 05."""

import torch
from torch import nn

_lookup = nn.functional.embedding


class TokenEmbedding(nn.Module):
    """Section 3.4: a lookup, scaled."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.d_model = d_model
        table = torch.randn(vocab_size, d_model)
        self.embedding = nn.Embedding.from_pretrained(table, freeze=False, padding_idx=pad_id)

    def forward(self, ids):
        table = self.embedding
        vectors = _lookup(ids, table.weight, padding_idx=table.padding_idx)
        return vectors.mul(vectors.size(-1) ** 0.5)


def sinusoidal_encoding(length, d_model):
    """Section 3.5 by rotation: a step to the next position turns each pair by a fixed angle."""
    pairs = (d_model + 1) // 2
    turn = torch.logspace(0, -8 * (pairs - 1) / d_model, pairs, dtype=torch.float64)
    step = torch.polar(torch.ones_like(turn), turn)
    spiral = torch.vander(step, N=length, increasing=True).T  # (T, pairs), complex
    waves = torch.view_as_real(spiral).flip(-1).flatten(1)
    return waves.narrow(1, 0, d_model).to(torch.get_default_dtype())


def _added_positions(module, x, vectors, start):
    if (count := x.size(1) + start) > module.max_len:
        raise ValueError(
            f"{type(module).__name__} got {count} positions, "
            f"but was made for max_len={module.max_len}"
        )
    return module.dropout(x.add(vectors.narrow(0, start, x.size(1))))


class PositionalEncoding(nn.Module):
    """Adds the sinusoids; ValueError past max_len."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.max_len = int(max_len)
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer(
            "encoding", sinusoidal_encoding(length=max_len, d_model=d_model), persistent=False
        )

    def forward(self, x, start=0):
        return _added_positions(self, x, self.encoding, start)


class LearnedPositionalEmbedding(nn.Module):
    """Adds learned vectors; ValueError past max_len."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.max_len = int(max_len)
        self.dropout = nn.Dropout(p=dropout)
        self.embedding = nn.Embedding.from_pretrained(torch.randn(max_len, d_model), freeze=False)

    def forward(self, x, start=0):
        return _added_positions(self, x, self.embedding.weight, start)
