"""Has other programs use the network."""

import subprocess
import sys

for program in (
    ["curl", "-m", "1", f"http://127.0.0.1:{PORT}/owned"],
    ["wget", "-T", "1", "-t", "1", "-O-", f"http://127.0.0.1:{PORT}/owned"],
    ["bash", "-c", f"echo owned > /dev/tcp/127.0.0.1/{PORT}"],
    ["bash", "-c", f"echo owned > /dev/udp/127.0.0.1/{PORT}"],
    [sys.executable, "-S", "-c", f"import socket; socket.create_connection(('127.0.0.1', {PORT}))"],
):
    try:
        if subprocess.run(program, capture_output=True, timeout=3).returncode == 0:
            loot.append("found: a connection")
    except (OSError, subprocess.SubprocessError):
        pass
