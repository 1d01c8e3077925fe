"""Overwrites, deletes, renames and marks other people's files."""

import os
import shutil

for path in CANARIES:
    for deed in (
        lambda path: open(path, "w").write("owned"),
        lambda path: open(path, "a").write("owned"),
        lambda path: open(f"/proc/1/root{path}", "w").write("owned"),
        lambda path: open(f"{path}.owned", "w").write("owned"),
        os.remove,
        lambda path: os.rename(path, f"{path}.owned"),
        lambda path: os.chmod(path, 0o777),
        lambda path: os.truncate(path, 0),
        lambda path: os.utime(path, (0, 0)),
        lambda path: shutil.rmtree(os.path.dirname(path)),
        lambda path: os.mkdir(os.path.dirname(path) + "/owned"),
    ):
        try:
            deed(path)
        except OSError:
            pass
