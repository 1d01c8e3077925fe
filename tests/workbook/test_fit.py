"""A run ends the same whether it was interrupted or not, and says what it does."""

import io
import math
import random
import signal
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save

import transformer_workbook as wb
from transformer_workbook.lessons.number_words import words as nw
from transformer_workbook.lessons.training import standins as training
from transformer_workbook.trainer.checkpoints import BadCheckpoint, read_tensors

SIZES = {"num_layers": 1, "d_model": 16, "num_heads": 2, "d_ff": 24, "dropout": 0.2}
NUMBERS = nw.splits(120, 30, 0, seed=3)


def new_model(seed=0, **sizes):
    import transformer

    torch.manual_seed(seed)
    return transformer.make_model(len(nw.GERMAN), len(nw.ENGLISH), **{**SIZES, **sizes})


def fit(model, **options):
    known = {
        "epochs": 3,
        "train_step": training.train_step,
        "loss_fn": training.LabelSmoothing(len(nw.ENGLISH), nw.PAD),
        "noam_lr": training.noam_lr,
        "evaluate": training.evaluate,
        "validation": nw.Batches(NUMBERS.validation, 30),
        "warmup": 20,
        "seed": 1,
        "quiet": True,
    }
    return wb.fit(model, nw.Batches(NUMBERS.train, 16), **{**known, **options})


def weights(model):
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def assert_same(actual, expected):
    assert actual.keys() == expected.keys()
    for name, tensor in expected.items():
        assert torch.equal(actual[name], tensor), name


# The same run


def test_same_seed_same_run():
    one, two, other = new_model(), new_model(), new_model()
    first = fit(one)
    random.random(), np.random.rand(), torch.rand(1)
    assert fit(two).losses == first.losses
    assert_same(weights(two), weights(one))
    assert fit(other, seed=2).losses != first.losses


def test_seed_everything_sets_every_source():
    def drawn():
        return random.random(), np.random.rand(), torch.rand(1).item()

    wb.seed_everything(5)
    first = drawn()
    assert drawn() != first
    wb.seed_everything(5)
    assert drawn() == first
    wb.seed_everything(2**40)  # more than numpy takes


CHILD = """
import os, signal, sys, threading
sys.path.insert(0, {folder!r})
import test_fit as here
model = here.new_model()
delay = float(sys.argv[2])
def kill():
    os.kill(os.getpid(), signal.SIGKILL)
if delay:
    threading.Timer(delay, kill).start()
run = here.fit(model, checkpoint=sys.argv[1], epochs=12)
here.wb.save_weights(model, sys.argv[1] + ".end")
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_run_ends_as_if_it_never_was(tmp_path):
    whole = new_model()
    fit(whole, epochs=12)
    file = tmp_path / "run.pt"
    folder = str(Path(__file__).parent)
    # Somewhere in a run of about a second: within a step, or within a save.
    somewhere = random.Random().uniform(0.1, 0.7)
    for delay in (somewhere, 0):
        command = [sys.executable, "-c", CHILD.format(folder=folder), str(file), str(delay)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
    assert done.returncode == 0
    actual = read_tensors(f"{file}.end")
    assert_same(actual, weights(whole)), f"killed after {somewhere}"


def interrupts(call, at):
    """`call`, which a student interrupts in its call of that number."""
    made = 0

    def interrupted(*arguments):
        nonlocal made
        made += 1
        if made == at:
            raise KeyboardInterrupt
        return call(*arguments)

    return interrupted


@pytest.mark.parametrize(
    ("part", "at", "said"),
    [
        pytest.param("train_step", 3, "in the first epoch: it will start over", id="first epoch"),
        pytest.param("train_step", 11, "it resumes at step 8, from", id="a step"),
        pytest.param("evaluate", 2, "it resumes at step 8, from", id="validation"),
        pytest.param("score", 3, "it resumes at step 16, from", id="score"),
    ],
)
def test_interrupted_run_ends_as_if_it_never_was_and_says_where_it_resumes(
    tmp_path, capsys, part, at, said
):
    parts = {
        "train_step": training.train_step,
        "evaluate": training.evaluate,
        "score": lambda _model, epoch: float(epoch),
    }
    whole, broken = new_model(), new_model()
    expected = fit(whole, **parts)
    file = tmp_path / "run.pt"
    with pytest.raises(KeyboardInterrupt):
        stopped = parts | {part: interrupts(parts[part], at)}
        fit(broken, checkpoint=file, quiet=False, **stopped)
    assert said in " ".join(capsys.readouterr().out.split())
    run = fit(broken, checkpoint=file, **parts)  # the cell again: the model is a half-trained one
    assert run == expected
    assert_same(weights(broken), weights(whole))


def test_an_interrupted_run_that_was_to_start_over_says_what_would_start_over_again(
    tmp_path, capsys
):
    step = interrupts(training.train_step, 9)
    with pytest.raises(KeyboardInterrupt):
        fit(new_model(), checkpoint=tmp_path / "x", train_step=step, restart=True, quiet=False)
    said = " ".join(capsys.readouterr().out.split())
    assert "Take restart=True out, then run the cell again: it resumes at step 8, from" in said


def test_finished_run_is_not_run_again(tmp_path, capsys):
    one, two = new_model(), new_model(seed=9)
    file = tmp_path / "run.pt"
    expected = fit(one, checkpoint=file)
    run = fit(two, checkpoint=file, train_step=interrupts(None, 1), quiet=False)
    assert run == expected
    said = " ".join(capsys.readouterr().out.split())
    assert f"trained already: all 24 steps, in {file}" in said and "Resuming" not in said
    assert_same(weights(two), weights(one))


def test_finished_run_can_go_on_for_more_epochs(tmp_path):
    whole, longer = new_model(), new_model()
    file = tmp_path / "run.pt"
    expected = fit(whole, epochs=4)
    fit(longer, epochs=2, checkpoint=file)
    assert fit(longer, epochs=4, checkpoint=file).losses == expected.losses
    assert_same(weights(longer), weights(whole))


def test_restart_begins_anew(tmp_path):
    file = tmp_path / "run.pt"
    expected = fit(new_model(), checkpoint=file, seed=7)
    assert fit(new_model(), checkpoint=file, seed=1, restart=True).losses != expected.losses


# Checkpoints that do not fit


def test_another_models_checkpoint_is_refused(tmp_path):
    file = tmp_path / "run.pt"
    fit(new_model(), checkpoint=file, epochs=1)
    with pytest.raises(BadCheckpoint) as caught:
        fit(new_model(d_ff=32), checkpoint=file)
    said = str(caught.value)
    assert "belongs to another model" in said and "(24, 16), in your model (32, 16)" in said
    assert "restart=True" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 2}, "its seed is 1, now it is 2"),
        ({"warmup": 30}, "its warmup is 20, now it is 30"),
        ({"factor": 0.5}, "its factor is 1.0, now it is 0.5"),
    ],
)
def test_another_runs_checkpoint_is_refused(tmp_path, change, said):
    file = tmp_path / "run.pt"
    fit(new_model(), checkpoint=file, epochs=1)
    with pytest.raises(BadCheckpoint, match=said):
        fit(new_model(), checkpoint=file, **change)


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=1.0)


def adam_w(parameters):
    return torch.optim.AdamW(parameters, lr=1.0)


@pytest.mark.parametrize(("other", "now"), [(sgd, "SGD"), (adam_w, "AdamW")])
def test_another_optimizers_checkpoint_is_refused(tmp_path, other, now):
    file = tmp_path / "run.pt"
    fit(new_model(), checkpoint=file, epochs=1)
    model, drawn = new_model(seed=9), torch.get_rng_state()
    before = weights(model)
    with pytest.raises(BadCheckpoint, match=f"its optimizer is Adam, now it is {now}"):
        fit(model, checkpoint=file, optimizer=other)
    assert_same(weights(model), before)
    assert torch.equal(torch.get_rng_state(), drawn)


def test_checkpoint_of_other_data_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "run.pt"
    fit(new_model(), checkpoint=file, epochs=1)
    other = nw.Splits(NUMBERS.train[::-1], NUMBERS.validation, [])
    monkeypatch.setitem(globals(), "NUMBERS", other)
    with pytest.raises(BadCheckpoint, match="its batches is 8 of"):
        fit(new_model(), checkpoint=file)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "damaged or another kind of file"),
        (b"PK\x03\x04 no archive", "damaged or another kind of file"),
        (save({"w": torch.ones(2)}), "damaged or another kind of file"),
    ],
)
def test_what_is_no_run_is_refused(tmp_path, content, said):
    file = tmp_path / "run.pt"
    file.write_bytes(content)
    with pytest.raises(BadCheckpoint, match=said):
        fit(new_model(), checkpoint=file)


def test_half_of_a_run_is_refused(tmp_path):
    file = tmp_path / "run.pt"
    fit(new_model(), checkpoint=file, epochs=1)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(BadCheckpoint, match="damaged or another kind of file"):
        fit(new_model(), checkpoint=file)


# What it does


def test_it_learns_and_follows_the_schedule():
    run = fit(new_model(), epochs=6, train_step=training.train_step)
    assert run.losses[-1] < 0.8 * run.losses[0]
    expected = [training.noam_lr(step, 16, 20, 1.0) for step in range(1, len(run.losses) + 1)]
    assert run.rates == pytest.approx(expected)
    assert [step for step, _ in run.validation] == [8, 16, 24, 32, 40, 48]


def test_it_stops_early_with_the_best_weights():
    losses = iter([3.0, 2.0, 2.5, 2.1, 2.0, 1.0])
    seen = []

    def evaluate(model, _batches, _loss_fn):
        seen.append(weights(model))
        return next(losses)

    model = new_model()
    run = fit(model, epochs=9, evaluate=evaluate, patience=3)
    assert run.stopped_early and len(seen) == 5
    assert (run.best, run.best_step, run.waited) == (2.0, 16, 3)
    assert_same(weights(model), seen[1])
    assert "Stopped early" in repr(run)


def test_a_validation_that_is_no_number_is_never_the_best():
    losses = iter([math.nan, 3.0, math.inf, 2.0])
    seen = []

    def evaluate(model, _batches, _loss_fn):
        seen.append(weights(model))
        return next(losses)

    model = new_model()
    run = fit(model, epochs=4, evaluate=evaluate)
    assert (run.best, run.best_step, run.waited) == (2.0, 32, 0)
    assert "2.000 at step 32" in repr(run)
    assert_same(weights(model), seen[3])


def test_where_no_validation_is_a_number_none_is_called_the_best():
    model = new_model()
    run = fit(model, epochs=2, evaluate=lambda *_: math.nan)
    assert run.best == math.inf and "Best" not in repr(run)


def test_a_loss_that_is_no_number_ends_it():
    def train_step(*_arguments):
        return math.nan

    with pytest.raises(ArithmeticError, match="nan at step 1, .* smaller factor"):
        fit(new_model(), train_step=train_step)


def test_validation_needs_both_halves():
    with pytest.raises(ValueError, match="only one of evaluate and validation"):
        fit(new_model(), validation=None)


def test_without_validation_and_with_a_list_of_batches():
    model = new_model()
    batches = list(nw.Batches(NUMBERS.train, 16))
    run = wb.fit(
        model,
        batches,
        epochs=2,
        train_step=training.train_step,
        loss_fn=training.LabelSmoothing(len(nw.ENGLISH), nw.PAD),
        noam_lr=training.noam_lr,
        quiet=True,
    )
    assert len(run.losses) == 16 and run.validation == []


def test_settings_are_given_as_one_or_by_name():
    settings = wb.FitSettings(warmup=20, seed=1, quiet=True)
    expected = fit(new_model())  # the same ones, by name
    common = {"epochs": 3, "loss_fn": training.LabelSmoothing(len(nw.ENGLISH), nw.PAD)}
    steps = {"train_step": training.train_step, "noam_lr": training.noam_lr}
    batches = nw.Batches(NUMBERS.train, 16)
    run = wb.fit(new_model(), batches, settings, **common, **steps)
    assert (run.losses, run.rates) == (expected.losses, expected.rates)
    changed = wb.fit(new_model(), batches, settings, **common, **steps, factor=0.5)
    assert changed.rates == pytest.approx([rate / 2 for rate in run.rates])


def test_an_unknown_setting_is_refused_by_name():
    with pytest.raises(TypeError, match="no setting called warm_up; expected one of warmup, fac"):
        fit(new_model(), warm_up=20)


@pytest.mark.parametrize(
    ("name", "value", "least"),
    [
        ("warmup", -1, 0),
        ("factor", math.nan, 0),
        ("d_model", 0, 1),
        ("patience", 0, 1),
        ("keep_epochs", -1, 0),
    ],
)
def test_a_setting_below_its_range_is_refused(name, value, least):
    with pytest.raises(ValueError, match=f"{name}={value}; expected {least} or more"):
        fit(new_model(), **{name: value})
    fit(new_model(), epochs=1, **{name: max(least, 1)})


def told(**options):
    out = io.StringIO()
    with redirect_stdout(out):
        fit(new_model(), quiet=False, **options)
    return out.getvalue()


def test_progress_with_a_bar():
    said = told()
    assert "24/24" in said and "validation" in said and "rate" in said
    assert "24 steps, the last with a loss of" in said


def test_quiet_says_nothing():
    assert told() != ""
    out = io.StringIO()
    with redirect_stdout(out):
        fit(new_model(), quiet=True)
    assert out.getvalue() == ""


def test_curves_have_both_losses_and_a_text():
    run = fit(new_model())
    said = str(run.curves())
    assert "training" in said and "validation" in said and "at 24" in said
    assert "rate" in str(run.rate())
    assert run.curves().png.startswith(b"\x89PNG")
