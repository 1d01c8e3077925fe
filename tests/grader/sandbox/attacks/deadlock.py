"""Waits for a lock that nobody will release, in a thread that is waited for as well."""
# step: 1


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    import threading

    lock = threading.Lock()
    lock.acquire()
    thread = threading.Thread(target=lock.acquire)
    thread.start()
    thread.join()
