"""Takes memory in many processes, each with little."""

import os
import time

for _ in range(20):
    if os.fork() == 0:
        held = b"x" * (200 << 20)
        time.sleep(100)
time.sleep(100)
