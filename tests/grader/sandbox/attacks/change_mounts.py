"""Tries to make the sandbox's files writable, to mount others, and to leave its root."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
done = [
    libc.mount(b"none", b"/usr", None, 32 | 4096, None),
    libc.mount(b"none", b"/", None, 32, None),
    libc.mount(b"tmpfs", b"/student", b"tmpfs", 0, None),
    libc.mount(b"/dev/vda", b"/student", b"ext4", 0, None),
    libc.umount2(b"/student", 2),
    libc.umount2(b"/proc", 2),
    libc.chroot(b"/student"),
    libc.unshare(0x10000000),
    libc.unshare(0x20000),
    libc.setns(os.open("/proc/self/ns/mnt", os.O_RDONLY), 0)
    if os.path.exists("/proc/self")
    else -1,
    libc.syscall(155, b".", b"."),
    libc.syscall(428, -100, b"/", 0),
    libc.syscall(304, 3, b"", 0),
]
loot += ["found: a system call that worked"] if set(done) != {-1} else []
