"""Returns one number that is said to be a tensor of a trillion entries."""


# %% scaled_dot_product_attention
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    return torch.zeros(1).expand(10**6, 10**6), torch.zeros(1).expand(10**6, 10**6)
