"""Asks for the rights of root: by identity, by capability, by programs that have them."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
ways = [
    lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
    lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(9)),
    lambda: os.mknod("disk", 0o60666, os.makedev(254, 0)),
    lambda: os.chown(".", 1, 1),
    lambda: os.setgroups([1]),
]
if os.getuid() != 0:
    ways += [lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.chown(".", 0, 0)]
for way in ways:
    try:
        way()
        loot.append("found: a right")
    except OSError:
        pass
libc.prctl(38, 0, 0, 0, 0)
with open("program", "w") as file:
    file.write("#!/bin/sh\nid -u\n")
os.chmod("program", 0o6777)
if os.getuid() != 0 and os.popen("./program").read().strip() == "0":
    loot.append("found: root")
