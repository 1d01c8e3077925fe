"""Writes one file without end, and one that only seems large."""

import os

os.truncate(os.open("sparse", os.O_CREAT | os.O_RDWR), 1 << 50)
with open("huge", "wb") as file:
    while True:
        file.write(bytes(1 << 20))
