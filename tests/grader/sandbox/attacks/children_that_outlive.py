"""Leaves behind children that belong to nobody, and does its exercise well."""
# honest: all

import ctypes
import os
import signal
import time

for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            ctypes.CDLL(None).prctl(15, NAME.encode(), 0, 0, 0)
            os.closerange(0, 300)
            time.sleep(1000)
        os._exit(0)
    os.wait()
