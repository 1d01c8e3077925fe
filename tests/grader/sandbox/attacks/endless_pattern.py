"""Matches a pattern for ages, in C, where Python cannot be interrupted."""
# step: 1


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    import re

    re.match(r"(a+)+$", "a" * 60 + "b")
