"""Announces a frame of many exabytes, and sends as much of it as it can."""
# step: 1


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    import os

    os.write(3, b"\xff" * 8)
    while True:
        os.write(3, bytes(1 << 16))
