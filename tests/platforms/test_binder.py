"""What Binder would build, told by the program that builds it there."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def dockerfile(tmp_path_factory) -> str:
    if importlib.util.find_spec("repo2docker") is None:
        pytest.skip("jupyter-repo2docker is not installed (it is in the extra `test`)")
    # A copy of what it may read; in the working tree it would also walk through .venv.
    copy = tmp_path_factory.mktemp("repository")
    for name in ("binder", "course", "environment.yml", "pyproject.toml", "constraints.txt"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source, copy / name, ignore=shutil.ignore_patterns("my_transformer", "__pycache__")
            )
        else:
            shutil.copy(source, copy)

    done = subprocess.run(
        [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."],
        cwd=copy, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_binder_reads_its_own_folder_only(dockerfile):
    copied = [
        line.split()[2] for line in dockerfile.splitlines() if "COPY" in line and "src/" in line
    ]
    assert "src/binder/environment.yml" in copied
    assert "src/environment.yml" not in copied
    assert '--file "binder/environment.yml"' in dockerfile
    assert "requirements.txt" not in dockerfile


def test_binder_takes_the_python_that_is_pinned(dockerfile):
    text = (ROOT / "binder" / "environment.yml").read_text()
    (line,) = [line for line in text.splitlines() if line.strip().startswith("- python=")]
    version = line.split("=")[1].strip()
    assert f"Building conda environment for python={version}" in dockerfile


def test_binder_runs_post_build_and_start(dockerfile):
    assert "RUN ./binder/postBuild" in dockerfile
    assert 'ENV R2D_ENTRYPOINT="' in dockerfile and 'binder/start"' in dockerfile


def test_one_core_gets_one_thread():
    """Binder gives one core of a large machine, and torch would start a thread for each."""
    start = ROOT / "binder" / "start"
    program = "import os; print(os.environ['OMP_NUM_THREADS'])"
    environment = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    done = subprocess.run(
        [start, sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr
