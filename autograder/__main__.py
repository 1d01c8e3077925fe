"""`python -m autograder`."""

import os
import sys

# Python looks into the working directory first, where a file of a student's may lie.
HERE = os.path.realpath("")
sys.path[:] = [folder for folder in sys.path if os.path.realpath(folder) != HERE]

from .cli import main  # noqa: E402 (nothing is imported before)

if __name__ == "__main__":
    main()
