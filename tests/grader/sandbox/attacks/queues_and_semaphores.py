"""Holds what no limit of a process counts: semaphores, queues, slots for asynchronous reading."""

import ctypes
import platform

libc = ctypes.CDLL(None, use_errno=True)
column = 0 if platform.machine() == "x86_64" else 1
call = {
    name: numbers[column]
    for name, numbers in {
        "semget": (64, 190), "msgget": (68, 186), "io_setup": (206, 0), "shmget": (29, 194),
    }.items()
}  # fmt: skip
create = 0o1600
for _ in range(20):  # 32000 semaphores each, of 64 bytes: few enough for the limit on memory
    if libc.syscall(ctypes.c_long(call["semget"]), 0, 32000, create) < 0:
        break
    loot.append("found: semaphores")
block = ctypes.create_string_buffer(b"\x01".ljust(8, b"\0") + bytes(8000))
for _ in range(20):
    queue = libc.syscall(ctypes.c_long(call["msgget"]), 0, create)
    if queue < 0:
        break
    loot.append("found: queues")
    libc.msgsnd(queue, block, 8000, 0o4000)
contexts = [ctypes.c_ulong(0) for _ in range(64)]
for context in contexts:
    if libc.syscall(ctypes.c_long(call["io_setup"]), 65_000, ctypes.byref(context)) < 0:
        break
    loot.append("found: asynchronous reading")
if libc.syscall(ctypes.c_long(call["shmget"]), 0, 1 << 20, create) >= 0:
    loot.append("found: shared memory")
