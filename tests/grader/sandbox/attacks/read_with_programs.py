"""Has other programs read for it."""

import subprocess

for path in CANARIES:
    for program in (["cat", path], ["sh", "-c", f"cat {path}"], ["grep", "-r", "canary", "/tmp"],
                    ["tar", "c", path], ["find", "/home", "/root", "/var", "-name", "*.db"],
                    ["sudo", "-n", "cat", path], ["su", "-c", f"cat {path}"]):  # fmt: skip
        try:
            done = subprocess.run(program, capture_output=True, timeout=1)
            loot.append(done.stdout.decode("utf-8", "replace"))
        except (OSError, subprocess.SubprocessError):
            pass
