"""Makes links to other people's files in its own folder, and reads those."""

import os

for number, path in enumerate(CANARIES):
    for link in (os.symlink, os.link):
        try:
            link(path, f"link{number}")
            loot.append(open(f"link{number}").read())
        except OSError:
            pass
