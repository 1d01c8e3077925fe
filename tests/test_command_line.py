"""The command line starts quickly: it imports what a command needs when that command runs."""

import subprocess
import sys

import pytest

from autograder.cli import main
from autograder.commands import export


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


def test_grade_imports_no_pictures_and_compiles_no_grammar(tmp_path):
    code = (
        "import sys\n"
        "from autograder.cli import main\n"
        "from autograder.sandbox import server_process\n"
        "usual, begun = server_process.start_server, []\n"
        "server_process.start_server = lambda course: begun.append(usual(course)) or begun[0]\n"
        "try:\n"
        "    main(['grade', 'nowhere', '--out', 'out'])\n"
        "except SystemExit as exit:\n"
        "    assert exit.code == 2, exit.code\n"
        "heavy = {'matplotlib', 'lark'}\n"
        "assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()\n"
        "assert begun[0].process.returncode, 'it was started for nothing, and has to be gone'\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "nowhere" in done.stderr


def test_no_file_of_the_working_directory_is_taken_for_a_module(tmp_path):
    for name in ("filelock", "typer", "torch"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w')\n")
    (tmp_path / "attention.ipynb").write_text("{}")
    command = [sys.executable, "-m", "autograder", "grade", ".", "--out", str(tmp_path) + "-out"]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": "."}
    )
    assert done.returncode == 2 and "that is not inside ." in done.stderr, done.stderr
    assert not (tmp_path / "ran").exists()


def test_after_ctrl_c_it_says_how_to_resume(monkeypatch, capsys, tmp_path):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(export, "export_command", interrupted)
    with pytest.raises(SystemExit) as end:
        main(["export", str(tmp_path), "--for", "csv"])
    assert end.value.code == 130
    assert capsys.readouterr().err == "autograder: Stopped. Start it again to resume from here.\n"
