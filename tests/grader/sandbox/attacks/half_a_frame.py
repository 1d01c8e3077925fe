"""Announces a frame, sends half of it, and waits."""
# step: 1


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    import os
    import time

    os.write(3, (1000).to_bytes(8, "little") + b"{" * 108)
    time.sleep(1000)
