"""python -m transformer_workbook doctor: diagnoses an installation and suggests repairs."""

# This module must run on any Python 3, to report one that is too old.
import sys

from .shared.language import _


def main(arguments):
    """Run the command; its exit code: 0 for no problem, 1 for a problem, 2 for wrong usage."""
    if sys.version_info < (3, 11):  # noqa: UP036
        message = _(
            "This course needs Python 3.11 or newer; this is Python {version}. Install a newer "
            "one, and make a new environment with it: python3.12 -m venv .venv"
        )
        print(message.format(version=sys.version.split()[0]))
        return 1
    if arguments != ["doctor"]:
        print(_("usage: python -m transformer_workbook doctor"))
        return 2
    from .doctor.examine import run

    return run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
