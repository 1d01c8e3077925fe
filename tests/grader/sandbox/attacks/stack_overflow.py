"""Recurses without end, in Python and below it."""
# step: 2

import sys


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*arguments, **named):
    sys.setrecursionlimit(1 << 30)
    nested = []
    for _ in range(300_000):
        nested = [nested]
    repr(nested)
    return scaled_dot_product_attention(*arguments, **named)
