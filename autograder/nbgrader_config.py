"""nbgrader's configuration: `cd autograder && nbgrader autograde 01-attention`.

Another course directory may have the same two lines in its own nbgrader_config.py.
"""

from autograder.nbgrader.settings import configure

configure(get_config())  # type: ignore[name-defined]  # noqa: F821
