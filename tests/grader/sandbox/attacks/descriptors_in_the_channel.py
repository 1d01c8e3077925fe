"""Sends open files through the channel, so that the grader would hold them."""

import array
import os
import socket

channel = socket.socket(fileno=os.dup(3))
files = [os.open("/dev/zero", os.O_RDONLY) for _ in range(50)]
try:
    channel.sendmsg(
        [b"\x00"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files).tobytes())]
    )
except OSError:
    pass
os._exit(0)
