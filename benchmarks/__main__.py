"""python -m benchmarks [PART OF A NAME]: measure speed, and what feedback tells."""

import sys

from rich.console import Console

from autograder.errors import WrongUsage

from . import run

if __name__ == "__main__":
    try:
        sys.exit(run(Console(highlight=False), " ".join(sys.argv[1:])))
    except WrongUsage as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        sys.exit(2)
