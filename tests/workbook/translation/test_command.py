"""The one command: alone, resumed, and shared by two processes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest

from transformer_workbook.training.checkpoints import read_tensors, write_tensors
from transformer_workbook.translation.__main__ import _changed, main
from transformer_workbook.translation.config import CONFIGS

SMALL = ["--parts", "transformer", "--setting", "trial", "--data", "numbers", "--device", "cpu",
         "--precision", "float32", "--change", "epochs=2", "--change", "pairs=200",
         "--change", "score_every=9", "--change", "scored=4"]  # fmt: skip
MODULE = ["-m", "transformer_workbook.translation"]
TOGETHER = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]


def start(folder, *before, out="out", more=()):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "WORKBOOK_HOME": str(folder)}
    return subprocess.Popen(
        [sys.executable, *before, *MODULE, *SMALL, "--out", out, *more],
        cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip


def finish(process):
    said, _ = process.communicate(timeout=240)
    return process.returncode, said


def losses(folder, out="out"):
    return json.loads((folder / out / "results.json").read_text())["runs"][0]["losses"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    code, said = finish(start(folder))
    assert code == 0, said
    return folder, said


def test_results_hold_scores_signature_and_setting(alone):
    folder, said = alone
    results = json.loads((folder / "out/results.json").read_text())
    assert results["setting"]["epochs"] == 2 and results["precision"] == "float32"
    assert "tok:13a" in results["runs"][0]["signature"]
    table = (folder / "out/results.md").read_text()
    assert table in said and "| 0 |" in table


def test_two_processes_have_the_losses_of_one(alone, tmp_path):
    code, said = finish(start(tmp_path, *TOGETHER))
    assert code == 0 and "FutureWarning" not in said, said
    assert losses(tmp_path) == pytest.approx(losses(alone[0]), abs=2e-5)


def test_killed_process_ends_the_run_and_the_same_command_goes_on(tmp_path):
    longer = ["--change", "epochs=30"]
    process = start(tmp_path, *TOGETHER, more=longer)
    checkpoint = tmp_path / "out/seed-0/run.safetensors"
    deadline = time.monotonic() + 120
    while not checkpoint.is_file() and time.monotonic() < deadline:
        time.sleep(0.1)
    workers = psutil.Process(process.pid).children()
    workers[-1].send_signal(signal.SIGKILL)
    code, said = finish(process)
    assert code != 0
    assert "lost another process" in said or "SIGKILL" in said, said
    behind = len(read_tensors(checkpoint)[1]["run"]["losses"])
    code, said = finish(start(tmp_path, *TOGETHER, more=longer))
    assert code == 0, said
    assert f"Resuming at step {behind}" in said
    assert len(losses(tmp_path)) > behind > 0


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (["--plain"], "its plain is False, now it is True"),
        (["--precision", "bfloat16"], "its precision is float32, now it is bfloat16"),
        (["--parts", "transformer_too"], "its parts is transformer, now it is transformer_too"),
    ],
)
def test_another_run_is_not_taken_from_the_folder(alone, tmp_path, more, named, monkeypatch):
    (tmp_path / "transformer_too.py").write_text("from transformer import *\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    code, said = finish(start(alone[0], more=more))
    assert code == 1 and "belongs to another run" in said and named in said
    assert "--restart" in said and "--out" in said


def test_started_anew_when_asked_for(alone, tmp_path):
    shutil.copytree(alone[0] / "out", tmp_path / "out")
    code, said = finish(start(tmp_path, more=["--plain", "--restart"]))
    assert code == 0 and "trained already" not in said, said
    assert losses(tmp_path) != losses(alone[0])


def test_a_checkpoint_of_an_earlier_version_is_resumed(alone, tmp_path):
    shutil.copytree(alone[0] / "out", tmp_path / "out")
    file = tmp_path / "out/seed-0/run.safetensors"
    tensors, info = read_tensors(file)
    for name in ("parts", "plain", "precision"):
        del info["settings"][name]
    write_tensors(file, tensors, info)
    code, said = finish(start(tmp_path))
    assert code == 0 and "trained already" in said, said


def test_wrong_change_is_named(tmp_path):
    code, said = finish(start(tmp_path, more=["--change", "epoch=3"]))
    assert code == 1 and "'epoch=3' changes no field" in said


def test_what_no_run_can_have_is_told_in_a_line(capsys, tmp_path):
    def said(*more):
        assert main([*SMALL, "--out", str(tmp_path / "out"), *more]) == 1
        told = capsys.readouterr()
        assert told.out == "" and told.err.count("\n") == 1
        return told.err

    told = "epochs is 'two'; expected a whole number, 1 or more.\n"
    assert said("--change", "epochs=two") == told
    assert "d_model is 32; expected a multiple of num_heads" in said("--change", "num_heads=3")
    assert "'heads=3' changes no field" in said("--change", "heads=3")
    assert "scored is 0; expected" in said("--change", "scored=0")
    assert not (tmp_path / "out").exists()


def test_values_are_taken_together_and_in_pythons_words():
    changed = _changed(CONFIGS["trial"], ["num_heads=3", "d_model=33", "noam=True", "pairs=None"])
    assert (changed.num_heads, changed.d_model, changed.noam, changed.pairs) == (3, 33, True, None)
    assert _changed(CONFIGS["trial"], ["noam=true", "pairs=null"]).noam


@pytest.mark.parametrize("seeds", ["0", "-1", "two"])
def test_seeds_that_train_nothing_are_refused(capsys, seeds):
    with pytest.raises(SystemExit):
        main([*SMALL, "--seeds", seeds])
    assert f"--seeds: {seeds!r}; expected a whole number, 1 or more" in capsys.readouterr().err


def test_package_that_is_not_there_is_named(tmp_path):
    code, said = finish(start(tmp_path, more=["--parts", "nowhere"]))
    assert code == 1 and said.startswith("--parts nowhere: there is no such package")
