"""The command line starts quickly: it imports what a command needs when that command runs."""

import subprocess
import sys


def test_help_imports_neither_torch_nor_notebooks():
    code = (
        "import sys\n"
        "from autograder.cli import main\n"
        "try:\n"
        "    main(['--help'])\n"
        "except SystemExit as exit:\n"
        "    assert not exit.code\n"
        "heavy = {'torch', 'numpy', 'nbformat', 'nbgrader', 'jinja2', 'rich'}\n"
        "assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "grade" in done.stdout and "prove" in done.stdout
