"""Stand-ins for lesson 06: True means that a position may be attended to."""

import torch


def padding_mask(ids, pad_id):
    """(N, 1, 1, T), True at real tokens."""
    return ids.ne(pad_id)[:, None, None]


def causal_mask(size, device=None):
    """(1, 1, T, T), True at this and earlier positions."""
    moment = torch.arange(size, device=device)
    return moment.ge(moment[None].T).mT[None, None]


def target_mask(ids, pad_id):
    """(N, 1, T, T), True where both masks are."""
    return torch.logical_and(
        padding_mask(ids, pad_id=pad_id), causal_mask(ids.shape[1], ids.device)
    )
