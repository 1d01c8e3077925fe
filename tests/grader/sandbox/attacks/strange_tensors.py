"""Returns tensors that are no plain numbers: sparse, on no device, complex, of no size."""

# %% scaled_dot_product_attention
KINDS = [
    lambda like: like.to_sparse(),
    lambda like: like.to("meta"),
    lambda like: like.to(torch.complex64),
    lambda like: torch.empty(0, 2**40),
    lambda like: torch.quantize_per_tensor(like, 0.1, 0, torch.qint8),
    lambda like: torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
]


def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    KINDS.append(KINDS.pop(0))
    return KINDS[0](value), KINDS[1](query)
