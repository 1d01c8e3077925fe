"""python -m transformer_workbook doctor: diagnoses an installation and suggests repairs."""

# This module must run on any Python 3, to report one that is too old.
import os
import re
import sys


def main(arguments):
    """Run the command; its exit code: 0 for no problem, 1 for a problem, 2 for wrong usage."""
    if sys.version_info < (3, 11):  # noqa: UP036
        print(_text("too_old") % sys.version.split()[0])
        return 1
    if arguments != ["doctor"]:
        print(_text("usage"))
        return 2
    from .doctor.examine import run

    return run()


def _text(name):
    """A line of the catalogue, read without tomllib, which Python 3.11 introduced."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shared", "texts.toml")
    with open(path, encoding="utf-8") as file:
        section = file.read().partition("[doctor]\n")[2]
    return re.search('(?m)^%s = "(.*)"$' % name, section).group(1)  # noqa: UP031


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
