"""Raises an exception with a text of many megabytes, in names that take as much."""


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    name = "A" * 1_000_000
    raise type(name, (Exception,), {})("\ud800\x00\x1b[2J" + "%s{}" * 1_000_000)
