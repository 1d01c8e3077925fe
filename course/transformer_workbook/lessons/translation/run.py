"""A training run from end to end: vocabulary, batches, training, averaged weights, BLEU.

parts = Parts.of_student()
outcome = train(find_corpus(), CONFIGS["gpu"], parts, folder="run")
outcome.take("average")
outcome.translator.translate(["Ein Mann liest."], parts.beam_search)
"""

import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import torch

from ...shared.language import _, say
from ...shared.threads import choose_threads
from ...trainer import checkpoints
from ...trainer.fit import BETAS, EPS, FitSettings, Run, epoch_files, fit, seed_everything
from .batches import TokenBatches
from .config import Config
from .corpus import Corpus
from .hand_in import VOCABULARY
from .hardware import Hardware, detect, keep_freed_memory, leave_out_cudnn_attention
from .subwords import PAD, Subwords
from .trained_translator import Translator

RUN = "run.pt"  # the checkpoint in a run's folder


@dataclass(frozen=True)
class Parts:
    """The components that a run is made of: the student's own, or others of the same names."""

    make_model: Callable
    LabelSmoothing: Callable
    evaluate: Callable
    greedy_decode: Callable
    beam_search: Callable
    token_batches: Callable
    mixed_precision_step: Callable
    average_weights: Callable

    @classmethod
    def of_student(cls) -> "Parts":
        """The student's own saved components, stand-ins where missing; prints which are which."""
        from ...own_code.store import use

        return cls(*use(*(part.name for part in fields(cls))))

    @classmethod
    def of_module(cls, module) -> "Parts":
        """The components of a package. Raises AttributeError where one is missing."""
        return cls(*(getattr(module, part.name) for part in fields(cls)))


@dataclass
class TrainingOutcome:
    """A trained translator, and the record of its training.

    `weights` are state dicts to choose from: "last", those of the last epoch, which the translator
    has at first, and "average", the mean of the epochs that were kept. `take` chooses.
    """

    translator: Translator
    run: Run
    seconds: float  # of training, without scoring
    tokens: int  # of the target, seen in training
    weights: dict[str, dict[str, torch.Tensor]]
    taken: str = "last"
    corpus: str = ""  # its name
    pairs: int = 0  # of sentences, trained on

    def take(self, name: str) -> None:
        """Give the translator the weights of that name. Raises ValueError for an unknown one."""
        if name not in self.weights:
            message = _("There are no weights called {name!r}; expected one of {known}.")
            raise ValueError(message.format(name=name, known=list(self.weights)))
        self.translator.model.load_state_dict(self.weights[name])
        self.taken = name


def linear_rate(total: int) -> Callable[[int, int, int, float], float]:
    """A schedule: linear warm-up to `factor` over `warmup` steps, linear decay to 0 after `total`.

    Takes the same arguments as noam_lr and replaces it where the number of steps is known: unlike
    inverse square root decay, it ends with small steps.
    """

    def rate(step: int, d_model: int, warmup: int, factor: float) -> float:
        rise = step / max(warmup, 1)
        fall = (total - step + 1) / max(total - warmup, 1)
        return factor * max(0.0, min(1.0, rise, fall))

    return rate


def noam_rate(step: int, d_model: int, warmup: int, factor: float) -> float:
    """The paper's schedule (section 5.3), scaled so that its peak is `factor`."""
    return factor * min(step / max(warmup, 1), (max(warmup, 1) / max(step, 1)) ** 0.5)


def train(
    corpus: Corpus,
    config: Config,
    parts: Parts,
    folder: str | os.PathLike = "translation-run",
    *,
    seed: int = 0,
    hardware: Hardware | None = None,
    prepare: Callable | None = None,
    restart: bool = False,
    quiet: bool = False,
) -> TrainingOutcome:
    """Train a translator; after an interruption, continue from the checkpoint in `folder`.

    It has the weights of the last epoch. Validation tells whether others are better, see
    `TrainingOutcome`.
    `prepare(model)` returns the model to train, as `fuse` of lesson 12 does.
    Raises BadCheckpoint if the folder holds another run, ArithmeticError if the loss diverges.
    """
    hardware = hardware or detect()
    folder = Path(folder)
    setup = _Setup(corpus, config, parts, folder, seed, hardware, prepare, restart)
    translator = Translator(setup.model, setup.subwords, config.max_len, config.at_once)
    settings = FitSettings(
        warmup=config.warmup,
        factor=config.peak,
        d_model=config.d_model,
        optimizer=adam,
        scaler=setup.scaler,
        seed=seed,
        score=_score_of(translator, corpus, config, parts.greedy_decode),
        checkpoint=folder / RUN,
        keep_epochs=max(config.averaged, 1),
        restart=restart,
        about={"corpus": _named(corpus), **config.trained()},
        quiet=quiet,
    )
    run = fit(
        setup.model,
        setup.batches,
        settings,
        epochs=config.epochs,
        train_step=setup.step,
        loss_fn=setup.loss_fn,
        noam_lr=noam_rate if config.noam else linear_rate(setup.steps),
        evaluate=parts.evaluate,
        validation=setup.validation,
    )
    tokens = config.epochs * sum(len(tgt) - 1 for _src, tgt in setup.batches.rows)
    weights = _weights_of(settings, parts)
    outcome = TrainingOutcome(
        translator, run, run.seconds, tokens, weights, corpus=corpus.name, pairs=len(corpus.train)
    )
    outcome.take("last")
    if not quiet:
        message = _(
            "The translator has the weights of the last epoch. Validation has to tell whether the "
            "mean of the last {count} is better."
        )
        say(message.format(count=len(epoch_files(settings.checkpoint))))
    return outcome


def _score_of(translator: Translator, corpus: Corpus, config: Config, decode: Callable) -> Callable:
    """What `fit` measures after each epoch: BLEU on validation, in some epochs and in the last."""

    def score(_model, epoch: int) -> float | None:
        if epoch % config.score_every and epoch != config.epochs:
            return None
        return translator.bleu(corpus.validation[: config.scored], decode).score

    return score


def _weights_of(settings: FitSettings, parts: Parts) -> dict[str, dict[str, torch.Tensor]]:
    """The weights that a run kept: those of its last epoch, and the mean of its last epochs."""
    files = epoch_files(settings.checkpoint)
    if not files:
        message = _(
            "{path} is a run that has ended, but its last epochs are not beside it. Copy its files "
            "run-epoch-... there, too, or start over with restart=True."
        )
        raise checkpoints.BadCheckpoint(message.format(path=settings.checkpoint))
    states = [checkpoints.read_tensors(file) for file in files]
    return {"last": states[-1], "average": parts.average_weights(states)}


def _named(corpus: Corpus) -> str:
    """A corpus in short: its name, the number of its training pairs, and a hash of them."""
    text = "\n".join(sentence for pair in corpus.train for sentence in pair)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{corpus.name}, {len(corpus.train)}, {digest}"


def minutes(
    corpus: Corpus, config: Config, parts: Parts, *, hardware: Hardware | None = None
) -> float:
    """Estimate, in minutes, how long `train` will take here, from some steps; prints it.

    These are 5 on a CPU, and 60 on a GPU, whose first ones are slower than the rest.
    On a CPU, chooses torch's number of threads by such a step first.
    """
    hardware = hardware or detect()
    is_cpu = hardware.device.type == "cpu"
    warm_up, timed = (2, 5) if is_cpu else (20, 60)
    with tempfile.TemporaryDirectory() as folder:
        setup = _Setup(corpus, config, parts, Path(folder), 0, hardware)
    optimizer = adam(setup.model.parameters())
    batches = setup.batches(0)

    def step(batch=batches[0]) -> None:
        setup.step(setup.model, batch, setup.loss_fn, optimizer, None)

    if is_cpu:
        choose_threads(step)  # more of them may pay for this model than for smaller ones
    for batch in batches[:warm_up]:
        step(batch)
    hardware.wait()
    before = time.perf_counter()
    measured = batches[warm_up : warm_up + timed] or batches[:1]
    for batch in measured:
        step(batch)
    hardware.wait()
    took = (time.perf_counter() - before) / len(measured) * setup.steps / 60
    length = (
        _("less than a minute")
        if took < 1
        else _("about {minutes} min").format(minutes=round(took))
    )
    precision = str(hardware.dtype or torch.float32).removeprefix("torch.")
    about = {"name": hardware.name, "precision": precision, "steps": setup.steps}
    message = _("{name}, {precision}: {steps} steps, {minutes} of training.")
    say(message.format(minutes=length, **about))
    return took


class _Setup:
    """What a training run needs before its first step: vocabulary, batches, loss, model."""

    def __init__(self, corpus, config, parts, folder, seed, hardware, prepare=None, restart=False):
        keep_freed_memory()
        leave_out_cudnn_attention()
        is_new = restart or not (folder / RUN).is_file()
        self.subwords = vocabulary(corpus, config, folder, is_new)
        options = {
            "subwords": self.subwords,
            "token_batches": parts.token_batches,
            "max_tokens": config.max_tokens,
            "device": hardware.device,
        }
        self.batches = TokenBatches(corpus.train, seed=seed, **options)
        self.validation = list(TokenBatches(corpus.validation, **options))
        self.steps = config.epochs * len(self.batches(0))
        self.scaler = hardware.scaler()
        self.dtype = hardware.dtype
        self.take_step = parts.mixed_precision_step
        size = len(self.subwords)
        self.loss_fn = parts.LabelSmoothing(size, PAD, config.smoothing)
        seed_everything(seed)
        model = parts.make_model(size, size, **config.sizes())
        self.model = (prepare(model) if prepare else model).to(hardware.device)

    def step(self, model, batch, loss_fn, optimizer, scheduler) -> float:
        """A train_step for `fit`."""
        options = {"scaler": self.scaler, "scheduler": scheduler, "dtype": self.dtype}
        try:
            return self.take_step(model, batch, loss_fn, optimizer, **options)
        except RuntimeError as error:
            if "without overflow" not in str(error):
                raise
            raise OverflowError(
                _(
                    "A number in your scaled_dot_product_attention is too large for float16, "
                    "whose largest number is 65504. Hide scores with "
                    'torch.finfo(scores.dtype).min or float("-inf") instead of a fixed number '
                    "such as -1e9, check it again in lesson 01, then run this cell again."
                )
            ) from error


def adam(parameters) -> torch.optim.Optimizer:
    """Adam with section 5.3's betas and epsilon, fused: one kernel for all parameters."""
    return torch.optim.Adam(parameters, lr=1.0, betas=BETAS, eps=EPS, fused=True)


def vocabulary(corpus: Corpus, config: Config, folder: Path, is_new: bool) -> Subwords:
    """The vocabulary of the run in `folder`; that of a new run is learned from corpus.train.

    One that an earlier run left there is never taken for a new one: its corpus may be another.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / VOCABULARY
    if file.is_file() and not is_new:
        return Subwords.load(file)
    sentences = [sentence for pair in corpus.train for sentence in pair]
    subwords = Subwords.learn(sentences, config.vocabulary)
    subwords.save(file)
    return subwords
