"""Prints without end, to both streams, with no line ever finished."""
# step: 1

import os

while True:
    os.write(1, b"\x1b[A\xff\x00passed" * 5000)
    os.write(2, b"\x00" * 50000)
