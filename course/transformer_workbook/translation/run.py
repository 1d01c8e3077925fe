"""The whole run: sentences, vocabulary, batches, training, averaged weights, a score.

parts = Parts.of_student()
outcome = train(corpus(), SETTINGS["gpu"], parts, folder="run")
outcome.translator.translate(["Ein Mann liest."], parts.beam_search)
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import torch

from .. import checkpoints, training_run
from .batches import TokenBatches
from .corpus import Corpus
from .hardware import Hardware, detect, keep_freed_memory
from .settings import Setting
from .subwords import PAD, Subwords
from .translator import Translator


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
        """The student's own, carried forward; stand-ins where missing. Says which are which."""
        from ..carry import use

        return cls(*use(*(one.name for one in fields(cls))))

    @classmethod
    def of_module(cls, module) -> "Parts":
        """Those of a package such as the reference solution's."""
        return cls(*(getattr(module, one.name) for one in fields(cls)))


@dataclass
class Outcome:
    """A trained translator, how its training went, and where its files are."""

    translator: Translator
    run: training_run.Run
    folder: Path
    seconds: float  # of training, without scoring
    tokens: int  # of the target, seen in training


def linear_rate(total: int):
    """A rate that rises for `warmup` steps to `factor`, then falls in a line to 0 at step `total`.

    Takes the place of noam_lr where it is known beforehand how long a run will be: the last steps
    are then small ones, which a falling square root never gets to.
    """

    def rate(step: int, d_model: int, warmup: int, factor: float) -> float:
        rise = step / max(warmup, 1)
        fall = (total - step + 1) / max(total - warmup, 1)
        return factor * max(0.0, min(1.0, rise, fall))

    return rate


def train(
    corpus: Corpus,
    setting: Setting,
    parts: Parts,
    folder="translation-run",
    *,
    seed: int = 0,
    hardware: Hardware | None = None,
    prepare=None,
    restart: bool = False,
    quiet: bool = False,
) -> Outcome:
    """Train a translator; started again after an interruption it goes on from its checkpoint.

    `prepare(model)` may change the model before it is trained, as lesson 12 does.
    """
    hardware = hardware or detect()
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    keep_freed_memory()

    subwords = vocabulary(corpus, setting, folder)
    pairs = corpus.train[: setting.pairs]
    of = {"subwords": subwords, "token_batches": parts.token_batches, "device": hardware.device}
    batches = TokenBatches(pairs, max_tokens=setting.max_tokens, seed=seed, **of)
    validation = list(TokenBatches(corpus.validation, max_tokens=setting.max_tokens, **of))

    training_run.seed_everything(seed)
    model = parts.make_model(len(subwords), len(subwords), **setting.sizes())
    model = (prepare(model) if prepare else model).to(hardware.device)
    translator = Translator(model, subwords, setting.max_len)
    scaler = hardware.scaler()
    steps = setting.epochs * len(batches(0))

    def step(model, batch, loss_fn, optimizer, scheduler):
        how = {"scaler": scaler, "scheduler": scheduler, "dtype": hardware.dtype}
        return parts.mixed_precision_step(model, batch, loss_fn, optimizer, **how)

    def score(_, epoch: int) -> float | None:
        if epoch % setting.score_every and epoch != setting.epochs:
            return None
        return translator.bleu(corpus.validation[: setting.scored], parts.greedy_decode).score

    checkpoint = folder / "run.safetensors"
    run = training_run.fit(
        model,
        batches,
        epochs=setting.epochs,
        train_step=step,
        loss_fn=parts.LabelSmoothing(len(subwords), PAD, setting.smoothing),
        noam_lr=linear_rate(steps),
        evaluate=parts.evaluate,
        validation=validation,
        d_model=setting.d_model,
        warmup=setting.warmup,
        factor=setting.peak,
        seed=seed,
        score=score,
        optimizer=adam,
        scaler=scaler,
        checkpoint=checkpoint,
        save_every=1000,
        keep_epochs=setting.averaged,
        restart=restart,
        quiet=quiet,
    )
    late = [checkpoints.read_tensors(file)[0] for file in training_run.epoch_files(checkpoint)]
    model.load_state_dict(parts.average_weights(late))
    tokens = setting.epochs * sum(len(tgt) - 1 for _, tgt in batches.rows)
    return Outcome(translator, run, folder, run.seconds, tokens)


def adam(parameters) -> torch.optim.Optimizer:
    """Section 5.3's Adam, all parameters in one kernel."""
    return torch.optim.Adam(parameters, lr=1.0, betas=(0.9, 0.98), eps=1e-9, fused=True)


def vocabulary(corpus: Corpus, setting: Setting, folder: Path) -> Subwords:
    """The run's vocabulary: learnt from the pairs to learn from, and kept beside the run."""
    file = folder / "vocabulary.json"
    if file.is_file():
        return Subwords.load(file)
    sentences = [sentence for pair in corpus.train[: setting.pairs] for sentence in pair]
    subwords = Subwords.learn(sentences, setting.vocabulary)
    subwords.save(file)
    return subwords
