"""What `make` installs, and by which program: on machines that stand-ins make up."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAKE = shutil.which("make")
CPU_BUILD = "torch --extra-index-url https://download.pytorch.org/whl/cpu"
NEEDED = (
    "sh",
    "awk",
    "cat",
    "echo",
    "grep",
    "id",
    "mkdir",
    "rm",
    "touch",
)  # of the programs on PATH

pytestmark = pytest.mark.skipif(not MAKE, reason="no make here")


class Machine:
    """A folder as its PATH, and an environment whose Python tells what it was called with."""

    def __init__(self, folder: Path):
        self.programs, self.environment = folder / "bin", folder / "venv"
        self.calls = folder / "calls"
        self.calls.touch()
        self.programs.mkdir()
        for name in NEEDED:
            (self.programs / name).symlink_to(shutil.which(name))
        self.has("uname", "echo Linux")
        self.write(self.environment / "bin" / "python", "")
        self.torch("None")

    def write(self, path: Path, does: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # a link would lead to the machine's own program
        path.write_text(f'#!/bin/sh\necho "{path.name} $*" >> {self.calls}\n{does}\n')
        path.chmod(0o755)

    def has(self, program: str, does: str = "") -> None:
        self.write(self.programs / program, does)

    def torch(self, cuda: str) -> None:
        """What is installed as torch is made for that version of CUDA."""
        version = self.environment / "lib" / "python3.12" / "site-packages" / "torch" / "version.py"
        version.parent.mkdir(parents=True, exist_ok=True)
        version.write_text(f"cuda: Optional[str] = {cuda}\n")

    def make(self, *options: str, device: Path | str = "none", goal: str = "") -> tuple[str, list]:
        """What `make` says, and what it has installed or started, for students first."""
        ready = self.environment / ".installed"
        for stamp in (ready, ready.with_name(".students")):
            stamp.unlink(missing_ok=True)
        settings = {
            "VENV": self.environment,
            "PYTHON": sys.executable,
            "CI": "",
            "NVIDIA_DEVICE": device,
        }
        done = subprocess.run(
            [MAKE, "-C", ROOT, *(f"{name}={value}" for name, value in settings.items()), *options,
             goal or ready],
            env={"PATH": str(self.programs)}, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert (done.returncode == 0) == ready.exists() or goal
        calls = self.calls.read_text().splitlines()
        done_by = re.compile("install|-m jupyterlab").search
        made = [call for call in calls if done_by(call) and "--dry-run" not in call]
        return done.stdout + done.stderr, made


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_without_an_nvidia_card_it_is_the_cpu_build_and_how_to_get_the_other_is_said(machine):
    said, (first, *_others, last) = machine.make()
    assert CPU_BUILD in first and "-c constraints.txt --no-deps" in first
    assert "its CPU build. For the one with CUDA: rm -rf" in said and "CPU=0" in said
    assert "-e .[test] -e ./course" in last and "pytorch.org" not in last


COPIES = 'for name; do :; done\ncase "$name" in *half-*) cat "$name" >>"$name.copy" ;; esac'


def test_pip_installs_all_versions_but_torchs_in_two_halves(machine):
    machine.write(machine.environment / "bin" / "python", COPIES)
    _, (*_students, one, other, _project) = machine.make()
    halves = [call.rpartition(" -r ")[2] for call in (one, other)]
    versions = [Path(f"{half}.copy").read_text().splitlines() for half in halves]
    tried = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line]
    left_out = {line for line in tried if line.startswith(("setuptools==", "torch=="))}
    assert sorted(sum(versions, [])) == sorted({*tried} - left_out)
    assert abs(len(versions[0]) - len(versions[1])) <= 1
    assert not any(Path(half).exists() for half in halves)


def test_what_the_halves_cannot_is_left_to_pip(machine):
    machine.write(machine.environment / "bin" / "python", 'case "$*" in *half-*) exit 1 ;; esac')
    said, calls = machine.make()
    assert calls[-1].endswith("-e ./course") and (machine.environment / ".installed").exists()
    assert "rror" not in said


def test_where_the_cpu_build_cannot_be_reached_nothing_large_is_installed(machine):
    machine.write(machine.environment / "bin" / "python", "echo '\"nvidia-cublas==13\"'")
    said, calls = machine.make()
    assert calls == [] and "4.5 GB" in said and "CPU=0" in said


@pytest.mark.parametrize("by", ["program", "device", "another system"])
def test_otherwise_it_is_the_default_build_and_how_to_get_the_other_is_said(machine, by, tmp_path):
    if by == "another system":
        machine.has("uname", "echo Darwin")
    elif by == "program":
        machine.has("nvidia-smi")
    said, calls = machine.make(device=tmp_path if by == "device" else "none")
    assert not any("torch" in call for call in calls)
    assert "its default build" in said and "CPU=1" in said


@pytest.mark.parametrize(("option", "is_cpu"), [("CPU=1", True), ("CPU=0", False)])
@pytest.mark.parametrize("has_card", [True, False])
def test_an_option_has_the_last_word(machine, option, is_cpu, has_card):
    if has_card:
        machine.has("nvidia-smi")
    _, calls = machine.make(option)
    assert (CPU_BUILD in calls[0]) == is_cpu


def test_another_build_that_is_there_all_the_same_is_named(machine):
    assert "not the CPU build" not in machine.make()[0]
    machine.torch("'13.0'")
    assert "not the CPU build" in machine.make()[0]
    assert "not the CPU build" not in machine.make("CPU=0")[0]


def test_uv_installs_where_it_is_there(machine):
    machine.has("uv")
    _, (first, *by_uv) = machine.make()
    assert first.startswith("python -m pip install") and CPU_BUILD in first
    for call, what in zip(by_uv, ("./course[translation] jupyterlab", "./course"), strict=True):
        assert call.startswith("uv pip install") and call.endswith(f"-e {what}")
        assert f"--python {machine.environment / 'bin' / 'python'}" in call
        assert "-c constraints.txt" in call


def test_pip_does_what_uv_cannot(machine):
    machine.has("uv", "exit 2")
    said, (*_students, by_uv, by_pip) = machine.make()
    assert by_uv.startswith("uv ") and by_pip.startswith("python -m pip ")
    assert by_uv.endswith(by_pip[by_pip.index("--no-build-isolation") :])
    assert "uv could not" in said


def test_options_for_pip_are_given_to_pip(machine):
    machine.has("uv")
    _, calls = machine.make("PIP_FLAGS=--no-cache-dir")
    assert all(call.startswith("python -m pip") and "--no-cache-dir" in call for call in calls)


def test_an_installation_that_fails_does_not_count(machine):
    machine.write(machine.environment / "bin" / "python", "exit 1")
    machine.make()
    assert not (machine.environment / ".installed").exists()


def test_students_get_what_they_need_and_lesson_00_without_nbgraders_panels_as_root_too(machine):
    show = r'case "$*" in *jupyterlab\ --*) cat "${JUPYTER_CONFIG_PATH%%:*}"/*/* ;; esac'
    machine.write(machine.environment / "bin" / "python", show)
    machine.has("id", "echo 0")
    said, (_torch, students, lab) = machine.make(goal="lab")
    assert students.endswith("-e ./course[translation] jupyterlab") and "-q" not in students
    assert "1 of 2: PyTorch" in said and '"@jupyter/nbgrader": true' in said
    assert "--allow-root" in lab and "/lab/tree/00-warm-up/warm-up.ipynb" in lab
    machine.has("id", "echo 1000")
    lab = machine.make("LESSON=04", goal="lab")[1][-1]
    assert "--allow-root" not in lab and "/04-feed-forward/feed-forward.ipynb" in lab
    assert "There is no course/77-" in machine.make("LESSON=77", goal="lab")[0]


@pytest.mark.parametrize("version", ["3.10.13", "3.14.0"])
def test_a_python_that_was_not_tried_is_refused(machine, version):
    asked = f"import sys; sys.version_info = {tuple(map(int, version.split('.')))}; $2"
    does = f'[ "$1" = -c ] || {{ echo Python {version}; exit; }}\n{sys.executable} -c "{asked}"'
    machine.has("python-other", does)
    said, calls = machine.make(f"PYTHON={machine.programs / 'python-other'}")
    assert calls == [] and f"is Python {version}" in said and "3.11 to 3.13" in said
