"""The doctor names what is wrong with an installation, and how to mend it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from transformer_workbook import __main__, __version__
from transformer_workbook.doctor import examine as doctor
from transformer_workbook.doctor import libraries

ROOT = Path(__file__).resolve().parents[2]
WELL = {"numpy": "", "matplotlib.pyplot": "", "safetensors": "", "torch": "", "together": "",
        "cuda_build": "", "gpu": None}  # fmt: skip


def only(checkups: list[doctor.Checkup]) -> doctor.Checkup:
    (checkup,) = checkups
    return checkup


def called(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    path = os.pathsep.join([environment.pop("PYTHONPATH", ""), str(ROOT / "course")])
    return subprocess.run(
        [sys.executable, "-m", "transformer_workbook", *arguments],
        cwd=folder, env={**os.environ, **environment, "PYTHONPATH": path.strip(os.pathsep)},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip


@pytest.fixture
def versions(monkeypatch):
    """Versions that are installed; with None, a package is missing."""
    installed = {"ipywidgets": "8.1.5", "jupyterlab": "4.2.0",
                 "torch": "2.9.1", "numpy": "2.1.0", "matplotlib": "3.10.0",
                 "safetensors": "0.8.0", "sacrebleu": "2.4.0", "tokenizers": "0.21.0"}  # fmt: skip
    monkeypatch.setattr(doctor, "version_of", installed.get)
    return installed


def test_this_environment_is_well(tmp_path):
    done = called(tmp_path, "doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "No problems found."
    assert f"transformer_workbook {__version__}" in done.stdout
    assert "torch" in done.stdout and done.stderr == ""


def test_a_python_that_lacks_everything(tmp_path):
    """Without site-packages there is neither torch nor packaging nor pip."""
    done = subprocess.run(
        [sys.executable, "-S", "-m", "transformer_workbook", "doctor"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT / "course")},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 1 and not done.stderr
    for name in ("numpy", "torch", "matplotlib"):
        assert f"PROBLEM  {name} is not installed (required: >=" in done.stdout
    assert "sacrebleu is not installed; only the lesson on translation needs it." in done.stdout


def test_wrong_usage(tmp_path):
    for arguments in ((), ("dokter",), ("doctor", "now")):
        done = called(tmp_path, *arguments)
        assert (done.returncode, done.stdout.split()[0]) == (2, "usage:")


@pytest.mark.parametrize(
    ("broken", "says", "mend"),
    [
        ("raise ImportError('libcudart.so.13: cannot open')", "libcudart.so.13", "uninstall"),
        ("import os; os.abort()", "Python crashes or hangs", "pip install torch"),
    ],
)
def test_a_torch_that_cannot_be_imported(tmp_path, broken, says, mend):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text(broken)
    done = called(tmp_path, "doctor", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert says in done.stdout and mend in done.stdout
    assert "Problems: 1." in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_python_that_is_too_old(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))
    assert __main__.main(["doctor"]) == 1
    assert "needs Python 3.11 or newer" in capsys.readouterr().out


def test_the_entrance_can_be_read_by_an_old_python():
    """What an old Python reads before it can be told that it is too old."""
    import ast

    for name in ("__init__.py", "__main__.py", "shared/__init__.py", "shared/language.py"):
        text = (ROOT / "course/transformer_workbook" / name).read_text(encoding="utf-8")
        ast.parse(text, feature_version=(3, 7))


def test_a_python_that_is_newer_than_those_that_were_tried(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 19, 0))
    assert only(doctor.python()).kind == "note"


def test_packages_that_are_missing_or_do_not_fit(versions):
    versions |= {"torch": None, "matplotlib": "3.5.1", "ipywidgets": "9.0.0", "sacrebleu": None,
                 "tokenizers": None, "jupyterlab": None}  # fmt: skip
    found = {checkup.text.split()[0]: checkup for checkup in doctor.packages()}
    assert found["torch"].kind == "problem" and "--index-url" in found["torch"].fix
    assert found["matplotlib"].kind == "problem"
    assert found["matplotlib"].fix == 'pip install "matplotlib>=3.8"'
    assert found["ipywidgets"].kind == "problem" and "<9" in found["ipywidgets"].fix
    assert found["sacrebleu"].kind == "note" and "translation" in found["sacrebleu"].text
    said = "tokenizers is not installed; only lessons 11 and 15 need it."
    assert (found["tokenizers"].kind, found["tokenizers"].text) == ("note", said)
    assert "pip install jupyterlab" in [checkup.fix for checkup in doctor.packages()]
    assert found["numpy"].kind == "ok"


def test_installed_or_beside_its_project_the_same_is_asked_for(monkeypatch, tmp_path):
    from_project = {str(one) for one in doctor.requirements()}
    monkeypatch.setattr(doctor, "PACKAGE", tmp_path / "transformer_workbook")
    assert {str(one) for one in doctor.requirements()} == from_project


def test_numpy_and_torch_that_do_not_work_together(versions):
    machine = WELL | {"together": "RuntimeError: Numpy is not available"}
    first, _ = doctor.torch(machine)
    assert first.kind == "problem" and "torch 2.9.1 and numpy 2.1.0" in first.text
    assert 'pip install "numpy<2"' in first.fix


def test_safetensors_that_cannot_be_imported(versions):
    first, _ = doctor.torch(WELL | {"safetensors": "ImportError: DLL load failed"})
    assert first.kind == "problem" and "DLL load failed" in first.text
    assert first.fix == "pip install --force-reinstall --no-deps safetensors"


def test_a_gpu_that_the_course_does_not_train_on_is_none(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: True)
    assert libraries.facts()["gpu"] is None


def test_what_torch_computes_on(versions, monkeypatch):
    card = {"name": "Tesla T4", "gib": 15, "precision": "float16"}
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    assert only(doctor.torch(WELL)).kind == "ok"
    assert "Tesla T4, 15 GB, trains with float16" in only(doctor.torch(WELL | {"gpu": card})).text
    unseen = only(doctor.torch(WELL | {"cuda_build": "13.0"}))
    assert unseen.kind == "note" and "nvidia-smi" in unseen.fix
    monkeypatch.setattr(doctor.shutil, "which", lambda name: "/usr/bin/nvidia-smi")
    unused = only(doctor.torch(WELL))
    assert unused.kind == "note" and "CPU build" in unused.text
    assert all(one.text.endswith(doctor.CPU_IS_ENOUGH) for one in (unseen, unused))


def test_the_guide_says_of_the_cpu_what_the_doctor_says():
    guide = (ROOT / "docs/students.md").read_text(encoding="utf-8")
    assert doctor.CPU_IS_ENOUGH in " ".join(guide.split())


def test_matplotlib_with_a_backend_that_does_not_start(tmp_path):
    done = called(tmp_path, "doctor", MPLBACKEND="nonsense")
    assert done.returncode == 1
    assert "MPLBACKEND=nonsense" in done.stdout and "unset MPLBACKEND" in done.stdout


def test_a_folder_that_cannot_be_written(monkeypatch, tmp_path):
    def refuse(dir):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv("WORKBOOK_HOME", str(tmp_path))
    assert only(doctor.workbook()).kind == "ok"
    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    checkup = only(doctor.workbook())
    assert checkup.kind == "problem" and str(tmp_path) in checkup.text
    assert "WORKBOOK_HOME" in checkup.fix


def test_a_package_with_missing_files(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "PACKAGE", tmp_path)
    problem = doctor.workbook()[0]
    assert problem.kind == "problem" and "pip install ./course" in problem.fix
