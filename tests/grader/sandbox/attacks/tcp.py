"""Connects to a service of this machine, and to others."""

import socket

for family, address in (
    (socket.AF_INET, ("127.0.0.1", PORT)),
    (socket.AF_INET, ("0.0.0.0", PORT)),
    (socket.AF_INET6, ("::1", PORT)),
    (socket.AF_INET, ("192.0.2.1", 80)),
):
    try:
        with socket.socket(family) as made:
            made.settimeout(0.2)
            made.connect(address)
            made.send(b"owned")
            loot.append("found: a connection")
    except OSError:
        pass
