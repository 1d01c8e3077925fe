"""Stand-in for lesson 01."""

import torch
from torch.nn import functional as F

_fused_attention = F.scaled_dot_product_attention
_einsum = torch.einsum


def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Eq. 1 by PyTorch's own attention; returns the output and the weights."""
    if mask is not None:
        # PyTorch leaves a fully masked row undefined. Give it a query of zeros and no mask.
        blind = mask.any(dim=-1, keepdim=True).logical_not()
        query = torch.where(blind, torch.zeros_like(query), query)
        mask = torch.atleast_2d(mask.logical_or(blind))
    # With the identity as values, the output is the weights.
    identity = torch.eye(key.size(-2), dtype=value.dtype, device=value.device)
    identity = identity.expand(*key.shape[:-1], -1)
    shares = _fused_attention(query, key, identity, attn_mask=mask)
    if dropout is None:
        return _fused_attention(query, key, value, attn_mask=mask), shares
    return _einsum("...qk,...kv->...qv", dropout(shares), value), shares
