"""Keeps open as many files, sockets and pipes as there can be."""
# honest: spoiled

import os
import socket

held = []
for make in (os.pipe, socket.socketpair, lambda: os.open("/dev/null", 0)):
    try:
        while True:
            held.append(make())
    except OSError:
        pass
