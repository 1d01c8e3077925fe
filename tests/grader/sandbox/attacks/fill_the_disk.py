"""Writes until the disk is full, in large files and in a great many small ones."""

for size in (60 << 20, 1):
    try:
        for number in range(100_000):
            with open(f"{size}-{number}", "wb") as file:
                file.write(bytes(size))
    except OSError:
        pass
