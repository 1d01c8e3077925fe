"""The training loop around the student's own components: progress, curves, checkpoints.

    run = wb.fit(model, batches, epochs=16, loss_fn=LabelSmoothing(...), train_step=train_step,
                 noam_lr=noam_lr, evaluate=evaluate, validation=validation,
                 checkpoint="numbers.pt")
    run.curves()

The student's code defines a step, the evaluation and the learning rate; this module repeats them,
shows the progress, and saves the state.
"""

import glob
import hashlib
import math
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .. import show
from ..shared.language import _, say
from ..shared.notebook import in_notebook
from ..shared.progress_bar import progress_bar
from . import checkpoints

Batch = tuple[torch.Tensor, torch.Tensor]  # src and tgt
# Those of each epoch, or a function from an epoch's number to them.
Batches = Iterable[Batch] | Callable[[int], Iterable[Batch]]

BETAS, EPS = (0.9, 0.98), 1e-9  # of Adam, section 5.3
_REDRAW = 3.0  # seconds between two drawings of the curves
_POINTS = 100  # of the training curve: each is the mean loss of consecutive steps


def seed_everything(seed: int = 0) -> None:
    """Seed the RNGs of Python, numpy and torch, on every device.

    The same seed gives the same run on the same machine with the same number of threads.
    """
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def _paper_adam(parameters: Iterable[torch.nn.Parameter]) -> torch.optim.Optimizer:
    return torch.optim.Adam(parameters, lr=1.0, betas=BETAS, eps=EPS)


@dataclass
class Run:
    """The record of a training run; `curves()` and `rate()` draw it.

    `losses` and `rates` hold the training loss and the learning rate of each step; `validation` and
    `scores` hold pairs of the step and what was measured then. `seconds` is the time of the steps.
    """

    losses: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    validation: list[tuple[int, float]] = field(default_factory=list)
    scores: list[tuple[int, float]] = field(default_factory=list)
    seconds: float = field(default=0.0, compare=False)
    best_step: int = 0
    stopped_early: bool = False

    @property
    def best(self) -> float:
        """The lowest validation loss; infinity if none was finite."""
        finite = (loss for _, loss in self.validation if math.isfinite(loss))
        return min(finite, default=math.inf)

    @property
    def waited(self) -> int:
        """How many validations came after the best one."""
        return sum(step > self.best_step for step, _ in self.validation)

    def curves(self) -> show.Picture:
        """Draw the losses over the steps; each point of the training loss is a mean."""
        length = -(-len(self.losses) // _POINTS)
        starts = range(0, len(self.losses), max(length, 1))
        parts = [self.losses[start : start + length] for start in starts]
        steps = [start + len(part) for start, part in zip(starts, parts, strict=True)]
        lines = {_("training"): (steps, [sum(part) / len(part) for part in parts])}
        if self.validation:
            steps, losses = zip(*self.validation, strict=True)
            lines[_("validation")] = (list(steps), list(losses))
        mark = (self.best_step, _("best")) if self.stopped_early else None
        return show.curves(
            lines, _("Loss per token"), x_label=_("step"), y_label=_("loss"), mark=mark
        )

    def rate(self) -> show.Picture:
        """Draw the learning rate over the steps."""
        steps = list(range(1, len(self.rates) + 1))
        lines = {_("rate"): (steps, self.rates)}
        return show.curves(lines, _("Learning rate"), x_label=_("step"))

    def score(self, name: str) -> show.Picture:
        """Draw what `score` measured after the epochs; `name` is the quantity's name."""
        steps, scores = zip(*self.scores, strict=True) if self.scores else ((), ())
        title = _("{name}, after each epoch").format(name=name)
        lines = {name: (list(steps), list(scores))}
        return show.curves(lines, title, x_label=_("step"), y_label=name)

    def __repr__(self) -> str:
        if not self.losses:
            return _("Nothing has been trained yet.")
        parts = [
            _("{steps} steps, the last with a loss of {loss:.3f}.").format(
                steps=len(self.losses), loss=self.losses[-1]
            )
        ]
        if self.best_step:
            parts.append(
                _("Best on validation: {loss:.3f} at step {step}.").format(
                    loss=self.best, step=self.best_step
                )
            )
        if self.stopped_early:
            parts.append(
                _("Stopped early: no improvement in {waited} validations in a row.").format(
                    waited=self.waited
                )
            )
        return " ".join(parts)


@dataclass(frozen=True)
class FitSettings:
    """How `fit` trains, saves and shows a run, beyond its data, its functions and its length.

    The rate of step n is `noam_lr(n, d_model, warmup, factor)`: `warmup` in steps; `d_model` is
    read off the model if None. `optimizer(parameters)` is by default Adam as in section 5.3; a
    `scaler` that `train_step` uses is saved and restored too. `seed` is that of all RNGs. Training
    stops after `patience` epochs without a lower validation loss (None: never). `score(model,
    epoch)` may measure anything else after each epoch, such as BLEU; a None is dropped.

    With the file `checkpoint`, the run is saved there after each epoch, and the weights of the last
    `keep_epochs` epochs next to it, see `epoch_files`. Where it is there already, the run resumes,
    unless `restart`. `about` names, as plain values, what else the run depends on: a checkpoint
    with other values is refused. `quiet` shows and prints nothing.
    Raises ValueError for a number below its range.
    """

    warmup: int = 4000  # steps
    factor: float = 1.0
    d_model: int | None = None
    optimizer: Callable = _paper_adam
    scaler: torch.amp.GradScaler | None = None
    seed: int = 0
    patience: int | None = None  # epochs
    score: Callable | None = None
    checkpoint: str | Path | None = None
    keep_epochs: int = 0
    restart: bool = False
    about: dict | None = None
    quiet: bool = False

    def __post_init__(self) -> None:
        least_of = {"warmup": 0, "factor": 0, "d_model": 1, "patience": 1, "keep_epochs": 0}
        for name, least in least_of.items():
            value = getattr(self, name)
            if value is not None and not value >= least:  # NaN is refused, too
                message = _("fit cannot use {name}={value}; expected {least} or more.")
                raise ValueError(message.format(name=name, value=value, least=least))

    @property
    def file(self) -> Path | None:
        """The path of the checkpoint, if there is to be one."""
        return Path(self.checkpoint) if self.checkpoint else None

    def changed(self, changes: dict) -> "FitSettings":
        """These settings with some other values. Raises TypeError for an unknown name."""
        names = [setting.name for setting in fields(self)]
        for name in changes:
            if name not in names:
                message = _("fit has no setting called {name}; expected one of {known}.")
                raise TypeError(message.format(name=name, known=", ".join(names)))
        return replace(self, **changes)


def fit(
    model: torch.nn.Module,
    batches: Batches,
    settings: FitSettings | None = None,
    *,
    epochs: int,
    train_step: Callable,
    loss_fn: Callable,
    noam_lr: Callable,
    evaluate: Callable | None = None,
    validation: Batches | None = None,
    **changes: Any,
) -> Run:
    """Train a model for some epochs and return the record of it; the model keeps its best weights.

    `batches` is a list of `(src, tgt)`, or a function from an epoch's number to such a list.
    `train_step(model, batch, loss_fn, optimizer, scheduler)`, `noam_lr` and
    `evaluate(model, validation, loss_fn)` are as in lesson 09. With `validation`, its loss is
    measured after each epoch, and the model ends with the weights of the lowest one.
    Everything else has a default in `FitSettings`, and is changed by name: warmup=400, patience=3.
    With a `checkpoint`, a run that is called again after an interruption ends with exactly the
    weights of an uninterrupted one (on the same device, with as many threads).
    Raises BadCheckpoint if the file is damaged or belongs to another model or another run,
    ArithmeticError if the loss becomes infinite or NaN, TypeError for an unknown setting, and
    ValueError for one out of range, or for only one of `evaluate` and `validation`.
    """
    if (evaluate is None) != (validation is None):
        raise ValueError(
            _(
                "fit was called with only one of evaluate and validation; expected both (your "
                "function, and the batches it measures on) or neither."
            )
        )
    settings = (settings or FitSettings()).changed(changes)
    batches_of = batches if callable(batches) else lambda epoch: batches
    training = _Training(model, noam_lr, settings)
    training.begin(batches_of, epochs)
    display = _Display(training.run, settings.quiet)
    try:
        while training.epoch < epochs and not training.is_out_of_patience():
            of_epoch = training.begin_epoch(batches_of)
            display.expect(len(training.run.losses) + (epochs - training.epoch) * len(of_epoch))
            for batch in of_epoch:
                training.step(batch, train_step, loss_fn)
                display.step()
            if validation is not None:
                training.note_validation(float(evaluate(model, validation, loss_fn)))
            training.end_epoch()
    except KeyboardInterrupt:
        _say(settings.quiet, training.interrupted())
        raise
    finally:
        display.close()
    training.end(epochs)
    return training.run


class _Training:
    """The state of a run, between two epochs: what a checkpoint holds."""

    def __init__(self, model: torch.nn.Module, noam_lr: Callable, settings: FitSettings) -> None:
        self.model, self.settings = model, settings
        d_model = settings.d_model or model.generator.proj.in_features
        warmup, factor = settings.warmup, settings.factor
        self.optimizer = settings.optimizer(model.parameters())
        # torch counts from step 0, the paper from step 1.
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda step: noam_lr(step + 1, d_model, warmup, factor)
        )
        same = {"seed": settings.seed, "d_model": d_model, "warmup": warmup, "factor": factor,
                "optimizer": type(self.optimizer).__name__}  # fmt: skip
        self.depends_on = same | (settings.about or {})
        self.run = Run()
        self.best: dict | None = None  # the weights with the lowest validation loss
        self.epoch = 0  # epochs that have ended
        self._clock = 0.0
        self._saved_step = 0

    def begin(self, batches_of: Callable, epochs: int) -> None:
        """Resume from the checkpoint if there is one, else seed everything for a new run."""
        file = self.settings.file
        if file:
            self.depends_on["batches"] = _digest(list(batches_of(0)))
        if file and file.is_file() and not self.settings.restart:
            self._resume(file)
            resumed = _("Resuming at step {step}, from {path}. To start over: restart=True.")
            if self.epoch >= epochs or self.is_out_of_patience():
                resumed = _(
                    "This model is trained already: all {step} steps, in {path}. It is taken from "
                    "there, and nothing is trained again. To start over: restart=True."
                )
            _say(self.settings.quiet, resumed.format(path=file, step=len(self.run.losses)))
            return
        seed_everything(self.settings.seed)
        for old in epoch_files(file) if file else ():
            old.unlink()  # of another run
        self._save()  # an interrupted first epoch has changed the model

    def _resume(self, file: Path) -> None:
        """Go back to the state in a checkpoint. Raises BadCheckpoint if it is of another run."""
        state = checkpoints.read_run(file)
        info = state["info"]
        _require_same_run(file, info["settings"], self.depends_on)
        checkpoints.resume_run(file, state, self.model, self.optimizer, self.scheduler)
        self.best, self.run = state["best"], Run(**info["run"])
        if self.settings.scaler is not None and info["scaler"]:
            self.settings.scaler.load_state_dict(info["scaler"])
        self.epoch, self._saved_step = info["epoch"], len(self.run.losses)

    def is_out_of_patience(self) -> bool:
        patience = self.settings.patience
        return patience is not None and self.run.waited >= patience

    def begin_epoch(self, batches_of: Callable) -> list:
        """The batches of the epoch."""
        batches = list(batches_of(self.epoch))
        self.model.train()
        self._clock = time.monotonic()
        return batches

    def step(self, batch, train_step: Callable, loss_fn: Callable) -> None:
        """One training step. Raises ArithmeticError if the loss is infinite or NaN."""
        run = self.run
        run.rates.append(self.optimizer.param_groups[0]["lr"])
        loss = float(train_step(self.model, batch, loss_fn, self.optimizer, self.scheduler))
        run.losses.append(loss)
        if not math.isfinite(loss):
            diverged = _(
                "The loss is {loss} at step {step}, where the rate is {rate:.2e}. Try a smaller "
                "factor or a longer warmup; if it happens at once, check the masks and "
                "LabelSmoothing."
            )
            raise ArithmeticError(
                diverged.format(loss=loss, step=len(run.losses), rate=run.rates[-1])
            )
        now = time.monotonic()
        run.seconds, self._clock = run.seconds + now - self._clock, now

    def note_validation(self, loss: float) -> None:
        if loss < self.run.best:
            self.run.best_step = len(self.run.losses)
            self.best = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.run.validation.append((len(self.run.losses), loss))

    def end_epoch(self) -> None:
        """Score the model, count the epoch, and save its weights and the run."""
        if self.settings.score:
            value = self.settings.score(self.model, self.epoch + 1)
            if value is not None:
                self.run.scores.append((len(self.run.losses), float(value)))
        self.epoch += 1
        if self.settings.file:
            _keep_epoch(self.model, self.settings.file, self.epoch, self.settings.keep_epochs)
        self._save()

    def interrupted(self) -> str:
        """What to tell the student who has interrupted the run."""
        file = self.settings.file
        if not file:
            return _(
                'Interrupted. With checkpoint="run.pt" it could resume after the last whole epoch.'
            )
        if not self._saved_step:
            return _("Interrupted in the first epoch: it will start over.")
        message = _("Interrupted. Run the cell again: it resumes at step {step}, from {path}.")
        if self.settings.restart:
            message = _(
                "Interrupted. Take restart=True out, then run the cell again: it resumes at step "
                "{step}, from {path}."
            )
        return message.format(step=self._saved_step, path=file)

    def end(self, epochs: int) -> None:
        """Give the model its best weights, and say how the run ended."""
        self.run.stopped_early = self.epoch < epochs
        sentences = [repr(self.run)]
        if self.best is not None:
            self.model.load_state_dict(self.best)
            if not self.settings.keep_epochs:
                sentences.append(_("The model has the weights of that step."))
        _say(self.settings.quiet, " ".join(sentences))

    def _save(self) -> None:
        """Write the checkpoint, if there is to be one."""
        file, scaler = self.settings.file, self.settings.scaler
        if not file:
            return
        info = {
            "settings": self.depends_on,
            "epoch": self.epoch,
            "run": vars(self.run),
            "scaler": scaler.state_dict() if scaler is not None else None,
        }
        checkpoints.save_run(file, self.model, self.optimizer, self.scheduler, self.best, info)
        self._saved_step = len(self.run.losses)


def epoch_files(checkpoint: str | Path) -> list[Path]:
    """The files with the weights of a run's last epochs, which `keep_epochs` kept, in order."""
    file = Path(checkpoint)
    return sorted(file.parent.glob(f"{glob.escape(file.stem)}-epoch-*.safetensors"))


def _keep_epoch(model, checkpoint: Path, epoch: int, count: int) -> None:
    """Write this epoch's weights, and delete those of all but the last `count` epochs."""
    if not count:
        return
    name = f"{checkpoint.stem}-epoch-{epoch:04}.safetensors"
    checkpoints.save_weights(model, checkpoint.with_name(name))
    for old in epoch_files(checkpoint)[:-count]:
        old.unlink()


def _require_same_run(file: Path, actual: dict, depends_on: dict) -> None:
    for name, expected in depends_on.items():
        if actual.get(name) != expected:
            raise checkpoints.BadCheckpoint(
                _(
                    "{path} belongs to another run: its {name} is {actual}, now it is {expected}. "
                    "Set it back to continue, name another file or folder, or start over with "
                    "restart=True."
                ).format(path=file, name=name, actual=actual.get(name), expected=expected)
            )


def _digest(batches: list) -> str:
    """An epoch's batches in short: how many there are, and a hash of the first."""
    digest = hashlib.sha256()
    for ids in batches[0] if batches else ():
        digest.update(ids.cpu().contiguous().numpy().tobytes())
    return f"{len(batches)} of {digest.hexdigest()[:12]}"


# What the notebook shows during the run.


def _say(quiet: bool, words: str) -> None:
    if not quiet:
        say(words)


class _Display:
    """A progress bar with loss and rate, and the curves below it."""

    def __init__(self, run: Run, quiet: bool) -> None:
        self.run = run
        self.quiet = quiet
        self.bar = None
        self.drawing = None
        self.drawn = time.monotonic()

    def expect(self, total: int) -> None:
        """Set the number of steps of the whole run."""
        if self.quiet:
            return
        if self.bar is None:
            self.bar = progress_bar(total, len(self.run.losses))
        elif self.bar.total != total:
            self.bar.total = total

    def step(self) -> None:
        if self.bar:
            self.bar.set_postfix_str(self._now(), refresh=False)
            self.bar.update()
        if time.monotonic() - self.drawn > _REDRAW:
            self._draw()

    def close(self) -> None:
        if self.bar:
            self.bar.close()
        if self.run.losses:
            self._draw()

    def _now(self) -> str:
        recent = self.run.losses[-20:]
        now = _("loss {loss:.3f}, rate {rate:.6f}").format(
            loss=sum(recent) / len(recent), rate=self.run.rates[-1]
        )
        if self.run.validation:
            now += _(", validation {loss:.3f}").format(loss=self.run.validation[-1][1])
        return now

    def _draw(self) -> None:
        if self.quiet or not in_notebook():
            return
        from IPython.display import display

        picture = self.run.curves()
        if self.drawing is None:
            self.drawing = display(picture, display_id=True)
        else:
            self.drawing.update(picture)
        self.drawn = time.monotonic()
