"""What a release is made of, and that it is tried without the repository."""

import dataclasses
import subprocess
import zipfile
from types import SimpleNamespace

import pytest
from rich.console import Console
from the_course import PUBLISHED

from autograder.authoring import release
from autograder.errors import WrongUsage
from autograder.lesson.lesson import ROOT
from transformer_workbook import __version__

CHANGELOG = "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-11\n\n- New.\n\n## 1.1.0\n\n- Old.\n"


def test_notes_are_those_of_the_version():
    assert release.release_notes(CHANGELOG, "1.2.0") == "- New.\n"
    assert release.release_notes(CHANGELOG, "1.1.0") == "- Old.\n"
    with pytest.raises(WrongUsage, match=r"no section \"## 1.2\""):
        release.release_notes(CHANGELOG.replace("1.2.0", "1.20"), "1.2")


def test_each_part_is_installed_alone_and_tried(tmp_path, monkeypatch):
    called = []

    def call(command, folder=None):
        called.append((command, folder))
        if "wheel" in command:
            for name in release.SMOKE:
                (tmp_path / "dist" / f"{name}-{__version__}-py3-none-any.whl").touch()

    monkeypatch.setattr(release, "_call", call)
    monkeypatch.setattr(release, "read_course", lambda: PUBLISHED)
    monkeypatch.setattr(release, "refuse_outdated", lambda course, root: None)
    monkeypatch.setattr(release, "release_notes", lambda text, version: "- New.\n")
    release.release(tmp_path / "dist", ["--quiet"], Console(quiet=True))

    made = {path.name for path in (tmp_path / "dist").iterdir()}
    assert f"a-course-{__version__}.zip" in made and release.NOTES in made and len(made) == 4
    names = zipfile.ZipFile(tmp_path / "dist" / f"a-course-{__version__}.zip").namelist()
    assert f"a-course-{__version__}/course/00-warm-up/warm-up.ipynb" in names
    installs = [command for command, _folder in called if "install" in command]
    assert [sum(part.endswith(".whl") for part in one) for one in installs] == [1, 2]
    tried = [(command, folder) for command, folder in called if folder]
    assert len(tried) == sum(map(len, release.SMOKE.values()))
    for command, folder in tried:
        assert command[1] == "-I" and ROOT not in folder.parents and folder.name == "empty"


def test_a_course_without_an_address_and_a_part_that_fails_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(
        release, "read_course", lambda: dataclasses.replace(PUBLISHED, repository="")
    )
    with pytest.raises(WrongUsage, match="where students get the course"):
        release.release(tmp_path / "dist", [], Console(quiet=True))
    failed = SimpleNamespace(returncode=1, stdout="", stderr="no such module")
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **options: failed)
    with pytest.raises(WrongUsage, match="no such module"):
        release._try_out(tmp_path / "part", [], (("-c", "1"),), [])
