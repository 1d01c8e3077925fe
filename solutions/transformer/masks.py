"""Which positions may be attended to: True means it may, section 3.2.3."""

import torch


def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T)
    return mask


def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.tril()
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)  # (N, 1, T, T)
    return mask
