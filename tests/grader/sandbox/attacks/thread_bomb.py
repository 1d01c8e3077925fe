"""Starts threads without end."""


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    import threading
    import time

    while True:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
