"""A training run around the student's own components: progress, curves, checkpoints.

    run = wb.fit(model, batches, epochs=16, loss_fn=LabelSmoothing(...), train_step=train_step,
                 noam_lr=noam_lr, evaluate=evaluate, validation=validation,
                 checkpoint="numbers.safetensors")
    run.curves()

What one step does, what is measured and how the rate goes are the student's; this only repeats,
watches, and remembers.
"""

import glob
import hashlib
import math
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

from .. import show
from ..checks.session import in_notebook
from ..shared.texts import say, texts
from . import checkpoints

_BETAS, _EPS = (0.9, 0.98), 1e-9  # of Adam, section 5.3
_REDRAW = 3.0  # seconds between two drawings of the curves
_POINTS = 100  # of the training curve: each is the mean over a stretch of steps


def seed_everything(seed: int = 0) -> None:
    """Set every source of random numbers: Python's, numpy's, torch's, on every device.

    The same seed gives the same run on the same machine with the same number of threads.
    """
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def _paper_adam(parameters) -> torch.optim.Optimizer:
    return torch.optim.Adam(parameters, lr=1.0, betas=_BETAS, eps=_EPS)


@dataclass
class Run:
    """What a training run was like, step by step; `curves()` and `rate()` draw it."""

    losses: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    validation: list[tuple[int, float]] = field(default_factory=list)
    scores: list[tuple[int, float]] = field(default_factory=list)
    seconds: float = field(default=0.0, compare=False)
    best_step: int = 0
    stopped_early: bool = False

    @property
    def best(self) -> float:
        """The lowest loss on validation; infinity if it was never measured."""
        return min((loss for _, loss in self.validation), default=math.inf)

    @property
    def waited(self) -> int:
        """How many validations have passed since the best one."""
        return sum(step > self.best_step for step, _ in self.validation)

    def curves(self) -> show.Picture:
        """The losses as a picture, the training one averaged over short stretches."""
        said = texts()["training"]
        stretch = -(-len(self.losses) // _POINTS)
        starts = range(0, len(self.losses), max(stretch, 1))
        parts = [self.losses[start : start + stretch] for start in starts]
        steps = [start + len(part) for start, part in zip(starts, parts, strict=True)]
        lines = {said["learnt"]: (steps, [sum(part) / len(part) for part in parts])}
        if self.validation:
            steps, losses = zip(*self.validation, strict=True)
            lines[said["unseen"]] = (list(steps), list(losses))
        mark = (self.best_step, said["best"]) if self.stopped_early else None
        return show.curves(
            lines, said["title"], x_label=said["step"], y_label=said["loss"], mark=mark
        )

    def rate(self) -> show.Picture:
        """The learning rate of each step as a picture."""
        said = texts()["training"]
        steps = list(range(1, len(self.rates) + 1))
        lines = {said["rate"]: (steps, self.rates)}
        return show.curves(lines, said["rate_title"], x_label=said["step"])

    def score(self, name: str) -> show.Picture:
        """What `score` measured after the epochs, as a picture; `name` says what that is."""
        said = texts()["training"]
        steps, scores = zip(*self.scores, strict=True) if self.scores else ((), ())
        title = said["score_title"].format(name=name)
        lines = {name: (list(steps), list(scores))}
        return show.curves(lines, title, x_label=said["step"], y_label=name)

    def __repr__(self) -> str:
        said = texts()["training"]
        if not self.losses:
            return said["nothing"]
        parts = [said["done"].format(steps=len(self.losses), loss=self.losses[-1])]
        if self.validation:
            parts.append(said["done_best"].format(loss=self.best, step=self.best_step))
        if self.stopped_early:
            parts.append(said["stopped"].format(waited=self.waited))
        return " ".join(parts)


def fit(
    model,
    batches,
    *,
    epochs: int,
    train_step: Callable,
    loss_fn: Callable,
    noam_lr: Callable,
    evaluate: Callable | None = None,
    validation=None,
    d_model: int | None = None,
    warmup: int = 4000,
    factor: float = 1.0,
    about: dict | None = None,
    seed: int = 0,
    patience: int | None = None,
    score: Callable | None = None,
    optimizer: Callable = _paper_adam,
    scaler=None,
    checkpoint: str | Path | None = None,
    save_every: int = 100,
    keep_epochs: int = 0,
    writes: bool = True,
    restart: bool = False,
    quiet: bool = False,
) -> Run:
    """Train a model for some epochs and say how it went; the model keeps its best weights.

    `batches` is a list of `(src, tgt)`, or a function that gives such a list for an epoch's number.
    `train_step(model, batch, loss_fn, optimizer, scheduler)` and
    `evaluate(model, validation, loss_fn)` are as in lesson 09; the rate of step n is
    `noam_lr(n, d_model, warmup, factor)`, of Adam as in section 5.3.
    With `validation` the loss on it is measured after each epoch, the weights that did best there
    are those that the model ends with, and `patience` epochs without a better one end the run.
    `score(model, epoch)` may measure anything else after each epoch, such as BLEU; what it returns
    is kept, None is not. `optimizer(parameters)` makes another optimizer than section 5.3's, and a
    `scaler` (torch.amp.GradScaler) that `train_step` uses is saved and restored with the run.
    With `checkpoint` the run is written there every `save_every` steps and after each epoch. Called
    again after an interruption it goes on, and ends with exactly the weights of a run that was
    never interrupted (on the same device, with as many threads); `restart=True` begins anew.
    `about` names all else that the run depends on, as plain values: a checkpoint in which one of
    them is another is not gone on with.
    The weights of the last `keep_epochs` epochs stay beside it, see `epoch_files`. Of several
    processes with one checkpoint, only one `writes`.
    Raises BadCheckpoint if the file is damaged or belongs to another model or another run, and
    ArithmeticError if the loss is no longer a number.
    """
    if (evaluate is None) != (validation is None):
        raise ValueError(texts()["training"]["one_of_two"])
    d_model = d_model or model.generator.proj.in_features
    optimizer = optimizer(model.parameters())
    # torch counts the steps that are behind, the paper the one that is being made.
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda behind: noam_lr(behind + 1, d_model, warmup, factor)
    )
    batches_of = batches if callable(batches) else lambda epoch: batches
    settings = {"seed": seed, "d_model": d_model, "warmup": warmup, "factor": factor}
    settings |= about or {}
    file = Path(checkpoint) if checkpoint else None
    run, best, epoch, behind = Run(), None, 0, 0

    if file and file.is_file() and not restart:
        _require_same_run(file, settings, batches_of)
        best, info = checkpoints.load_run(file, model, optimizer, scheduler)
        run = Run(**info["run"])
        run.validation = [(step, loss) for step, loss in run.validation]
        run.scores = [(step, came) for step, came in run.scores]
        if scaler is not None and info.get("scaler"):
            scaler.load_state_dict(info["scaler"])
        epoch, behind = info["epoch"], info["behind"]
        _say(quiet, texts()["training"]["resumed"].format(path=file, step=len(run.losses)))
    else:
        seed_everything(seed)
        for old in epoch_files(file) if file and writes else ():
            old.unlink()  # of another run: its weights are not to be averaged with this one's

    def save() -> None:
        if file and writes:
            where = {"settings": settings, "epoch": epoch, "behind": behind, "first": first}
            info = {**where, "run": vars(run)}
            info["scaler"] = scaler.state_dict() if scaler is not None else None
            checkpoints.save_run(file, model, optimizer, scheduler, best, info)

    watch = _Watch(run, quiet)
    try:
        while epoch < epochs and not _has_waited(run, patience):
            todays = list(batches_of(epoch))
            first = _digest(todays)
            watch.expect(len(run.losses) + (epochs - epoch) * len(todays) - behind)
            model.train()
            before = time.monotonic()
            while behind < len(todays):
                run.rates.append(optimizer.param_groups[0]["lr"])
                loss = float(train_step(model, todays[behind], loss_fn, optimizer, scheduler))
                run.losses.append(loss)
                behind += 1
                if not math.isfinite(loss):
                    said = texts()["training"]["diverged"]
                    rate = run.rates[-1]
                    raise ArithmeticError(said.format(loss=loss, step=len(run.losses), rate=rate))
                now = time.monotonic()
                run.seconds, before = run.seconds + now - before, now
                if len(run.losses) % save_every == 0:
                    save()
                watch.step()
            if validation is not None:
                loss = float(evaluate(model, validation, loss_fn))
                if loss < run.best:
                    run.best_step = len(run.losses)
                    best = {name: one.clone() for name, one in model.state_dict().items()}
                run.validation.append((len(run.losses), loss))
            epoch, behind = epoch + 1, 0
            if score is not None and (came := score(model, epoch)) is not None:
                run.scores.append((len(run.losses), float(came)))
            if file and writes and keep_epochs:
                _keep(model, file, epoch, keep_epochs)
            save()
            watch.epoch()
    except KeyboardInterrupt:
        _say(quiet, texts()["training"]["interrupted" if file else "interrupted_lost"])
        raise
    finally:
        watch.close()
    run.stopped_early = epoch < epochs
    if best is not None:
        model.load_state_dict(best)
    said = [repr(run)]
    if best is not None and not keep_epochs:
        said.append(texts()["training"]["has_best"])
    _say(quiet, " ".join(said))
    return run


def epoch_files(checkpoint: str | Path) -> list[Path]:
    """The weights of a run's last epochs, the earliest first: what `keep_epochs` kept."""
    file = Path(checkpoint)
    return sorted(file.parent.glob(f"{glob.escape(file.stem)}-epoch-*{file.suffix}"))


def _keep(model, checkpoint: Path, epoch: int, how_many: int) -> None:
    name = f"{checkpoint.stem}-epoch-{epoch:04}{checkpoint.suffix}"
    checkpoints.save_weights(model, checkpoint.with_name(name))
    for old in epoch_files(checkpoint)[:-how_many]:
        old.unlink()


def _has_waited(run: Run, patience: int | None) -> bool:
    return patience is not None and run.waited >= patience


def _require_same_run(file: Path, settings: dict, batches_of: Callable) -> None:
    _, info = checkpoints.read_tensors(file)
    said = texts()["checkpoint"]
    came = info.get("settings")
    if came is None:
        raise checkpoints.BadCheckpoint(said["no_run"].format(path=file))
    # The epoch that was under way tells whether the data are the same.
    epoch = info["epoch"] if info["behind"] else max(info["epoch"] - 1, 0)
    came["batches"] = info["first"]
    expected = {**settings, "batches": _digest(list(batches_of(epoch)))}
    for name, value in expected.items():
        if came.get(name) != value:
            raise checkpoints.BadCheckpoint(
                said["other_run"].format(path=file, name=name, came=came.get(name), expected=value)
            )


def _digest(todays: list) -> str:
    """A name for an epoch's batches: how many there are, and a hash of the first."""
    hashed = hashlib.sha256()
    for ids in todays[0] if todays else ():
        hashed.update(ids.cpu().contiguous().numpy().tobytes())
    return f"{len(todays)} of {hashed.hexdigest()[:12]}"


# What is seen while it runs.


def _say(quiet: bool, words: str) -> None:
    if not quiet:
        say(words)


class _Watch:
    """A bar with loss and rate, and the curves below it; plain lines where there is no bar."""

    def __init__(self, run: Run, quiet: bool) -> None:
        self.run = run
        self.quiet = quiet
        self.bar = None
        self.total = 0
        self.drawing = None
        self.drawn = time.monotonic()

    def expect(self, total: int) -> None:
        """Say how many steps there will be in all."""
        self.total = total
        if self.quiet:
            return
        if self.bar is None:
            self.bar = _bar(total, len(self.run.losses))
        elif self.bar.total != total:
            self.bar.total = total

    def step(self) -> None:
        if self.bar:
            self.bar.set_postfix_str(self._now(), refresh=False)
            self.bar.update()
        if time.monotonic() - self.drawn > _REDRAW:
            self._draw()

    def epoch(self) -> None:
        if not self.quiet and self.bar is None:
            said = texts()["training"]["line"]
            print(
                said.format(step=len(self.run.losses), total=self.total, now=self._now()),
                flush=True,
            )

    def close(self) -> None:
        if self.bar:
            self.bar.close()
        if self.run.losses:
            self._draw()

    def _now(self) -> str:
        said = texts()["training"]
        recent = self.run.losses[-20:]
        now = said["now"].format(loss=sum(recent) / len(recent), rate=self.run.rates[-1])
        if self.run.validation:
            now += said["now_unseen"].format(loss=self.run.validation[-1][1])
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


def _bar(total: int, behind: int):
    """tqdm's bar where tqdm is installed (as on Colab); the package does not ask for it."""
    try:
        if in_notebook():
            from tqdm.auto import tqdm
        else:
            from tqdm import tqdm
    except ImportError:
        return None
    # In a notebook dynamic_ncols makes the bar as wide as the page, so that its text is not broken.
    return tqdm(total=total, initial=behind, file=sys.stdout, mininterval=0.5, dynamic_ncols=True)
