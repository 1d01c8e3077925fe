"""Asks torch for more memory than there is."""


# %% scaled_dot_product_attention
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    return torch.ones(1 << 40), torch.ones(1 << 40)
