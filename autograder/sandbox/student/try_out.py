"""Enters a sandbox once, to find out whether it works on this machine."""

import os
import sys

from .confinement.confine import Confinement, enter
from .confinement.processes import exit_code
from .confinement.root import WORK


def main(confinement: str) -> None:
    """Exit with 0 if the sandbox works; otherwise print the reason as the last line of stderr.

    `confinement` is a Confinement as JSON, not of kind "none".
    """
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            enter(Confinement.from_json(confinement))
            code = 0 if os.path.isdir("/usr") and os.getcwd() == WORK else 1
        except OSError as error:
            print(error.strerror or error, file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    sys.exit(exit_code(os.waitpid(pid, 0)[1]))
