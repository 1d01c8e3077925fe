"""Opens other people's files, by every path that might lead there."""

import os

for path in CANARIES:
    for root in (
        "",
        "/proc/1/root",
        "/proc/self/root",
        "/old",
        "/oldroot",
        "/.." * 9,
        "/proc/1/cwd",
    ):
        try:
            loot.append(open(root + path).read())
        except OSError:
            pass
    for folder in (os.path.dirname(path), os.path.dirname(os.path.dirname(path))):
        try:
            loot += [open(os.path.join(folder, name)).read() for name in os.listdir(folder)]
        except OSError:
            pass
