"""Both packages as they are installed for real, not as the editable installs of this checkout."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from git_files import ROOT, tracked

from transformer_workbook import __version__


def build(source: Path, to: Path) -> Path:
    """A wheel made with nothing from outside."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check",
         "--no-index", "--no-deps", "--no-build-isolation", "-w", str(to), str(source)],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (wheel,) = to.glob("*.whl")
    return wheel


def copy(names: list[str], to: Path) -> None:
    for name in names:
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)


def contents(wheel: Path) -> set[str]:
    names = zipfile.ZipFile(wheel).namelist()
    return {name for name in names if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def students_wheel(tmp_path_factory) -> Path:
    base = tmp_path_factory.mktemp("students")
    copy(tracked("course"), base)
    return build(base / "course", base / "wheel")


def test_students_package_holds_its_files_and_no_lesson(students_wheel):
    expected = {name.removeprefix("course/") for name in tracked("course/transformer_workbook")}
    assert contents(students_wheel) == expected


def test_students_package_works_alone(students_wheel, tmp_path):
    zipfile.ZipFile(students_wheel).extractall(tmp_path / "site")
    program = (
        "import sys, transformer_workbook as wb\n"
        "print(list(wb.__path__)[0])\n"
        "print(*sorted({'autograder', 'nbgrader', 'transformer', 'jupyterlab'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    where, others = done.stdout.split("\n")[:2]
    assert Path(where).is_relative_to(tmp_path)
    assert others == ""


def test_instructors_package_holds_its_files(tmp_path):
    source = tmp_path / "source"
    version = "course/transformer_workbook/__init__.py"  # named once, for both packages
    copy(tracked("autograder", "solutions", "pyproject.toml", "LICENSE", version), source)
    wheel = build(source, tmp_path / "wheel")

    expected = set(tracked("autograder"))
    expected |= {name.removeprefix("solutions/") for name in tracked("solutions/transformer")}
    assert contents(wheel) == expected
    assert "autograder/course.toml" in expected
    assert wheel.name.startswith(f"transformer_autograder-{__version__}-")
