"""Reads from where there is no memory."""


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    import ctypes

    ctypes.string_at(0)
