"""The whole run: sentences, vocabulary, batches, training, averaged weights, a score.

parts = Parts.of_student()
outcome = train(find_corpus(), SETTINGS["gpu"], parts, folder="run")
outcome.translator.translate(["Ein Mann liest."], parts.beam_search)
"""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import torch

from ..shared.texts import say
from ..training import checkpoints
from ..training import fit as training_run
from .batches import TokenBatches
from .corpus import Corpus
from .hand_in import VOCABULARY
from .hardware import Hardware, detect, keep_freed_memory, leave_out_cudnn_attention
from .processes import ALONE, Processes
from .settings import Setting
from .subwords import PAD, Subwords
from .texts import texts
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
        from ..own_code.store import use

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
    """A rate that rises for `warmup` steps to `factor`, then falls in a line; 0 after step `total`.

    Takes the place of noam_lr where it is known beforehand how long a run will be: the last steps
    are then small ones, which a falling square root never gets to.
    """

    def rate(step: int, d_model: int, warmup: int, factor: float) -> float:
        rise = step / max(warmup, 1)
        fall = (total - step + 1) / max(total - warmup, 1)
        return factor * max(0.0, min(1.0, rise, fall))

    return rate


def noam_rate(step: int, d_model: int, warmup: int, factor: float) -> float:
    """The paper's schedule (section 5.3), but that `factor` is the rate at its highest."""
    return factor * min(step / max(warmup, 1), (max(warmup, 1) / max(step, 1)) ** 0.5)


def train(
    corpus: Corpus,
    setting: Setting,
    parts: Parts,
    folder="translation-run",
    *,
    seed: int = 0,
    hardware: Hardware | None = None,
    prepare: Callable | None = None,
    processes: Processes = ALONE,
    restart: bool = False,
    quiet: bool = False,
) -> Outcome:
    """Train a translator; started again after an interruption it goes on from its checkpoint.

    `prepare(model)` may change the model before it is trained, as lesson 12 does. Of several
    `processes` each computes its part of every batch.
    """
    hardware = hardware or detect()
    folder = Path(folder)
    work = _Work(corpus, setting, parts, folder, seed, hardware, prepare, processes, restart)
    translator = Translator(work.model, work.subwords, setting.max_len, setting.at_once)

    def score(_, epoch: int) -> float | None:
        if epoch % setting.score_every and epoch != setting.epochs:
            return None
        return translator.bleu(corpus.validation[: setting.scored], parts.greedy_decode).score

    checkpoint = folder / "run.safetensors"
    run = training_run.fit(
        work.model,
        work.batches,
        epochs=setting.epochs,
        train_step=work.step,
        loss_fn=work.loss_fn,  # of the whole batch: evaluate measures with it, too
        noam_lr=noam_rate if setting.noam else linear_rate(work.steps),
        evaluate=parts.evaluate,
        validation=work.validation,
        d_model=setting.d_model,
        warmup=setting.warmup,
        factor=setting.peak,
        about=setting.trained(),
        seed=seed,
        score=score,
        optimizer=adam,
        scaler=work.scaler,
        checkpoint=checkpoint,
        save_every=1000,
        keep_epochs=setting.averaged,
        writes=processes.is_first,
        restart=restart,
        quiet=quiet or not processes.is_first,
    )
    processes.wait()  # for the first one's last file
    late = [checkpoints.read_tensors(file)[0] for file in training_run.epoch_files(checkpoint)]
    work.model.load_state_dict(parts.average_weights(late))
    if processes.is_first and not quiet:
        say(texts()["run"]["averaged"].format(count=len(late)))
    tokens = setting.epochs * sum(len(tgt) - 1 for _, tgt in work.batches.rows)
    return Outcome(translator, run, folder, run.seconds, tokens)


def minutes(
    corpus: Corpus,
    setting: Setting,
    parts: Parts,
    *,
    hardware: Hardware | None = None,
    prepare: Callable | None = None,
    timed: int = 5,
) -> float:
    """How many minutes `train` will take here, by the time of a few steps; prints a sentence."""
    hardware = hardware or detect()
    with tempfile.TemporaryDirectory() as folder:
        work = _Work(corpus, setting, parts, Path(folder), 0, hardware, prepare)
    optimizer = adam(work.model.parameters())
    batches = work.batches(0)
    for batch in batches[:2]:  # the first steps load what later ones have
        work.step(work.model, batch, work.loss_fn, optimizer, None)
    hardware.wait()
    before = time.perf_counter()
    some = batches[2 : 2 + timed] or batches[:1]
    for batch in some:
        work.step(work.model, batch, work.loss_fn, optimizer, None)
    hardware.wait()
    took = (time.perf_counter() - before) / len(some) * work.steps / 60
    said = texts()["run"]
    length = said["under_one"] if took < 1 else said["some_minutes"].format(minutes=round(took))
    precision = str(hardware.dtype or torch.float32).removeprefix("torch.")
    about = {"name": hardware.name, "precision": precision, "steps": work.steps}
    say(said["minutes"].format(minutes=length, **about))
    return took


class _Work:
    """All that a training run needs, before its first step."""

    def __init__(
        self, corpus, setting, parts, folder, seed, hardware, prepare, processes=ALONE,
        restart=False,
    ):  # fmt: skip
        keep_freed_memory()
        leave_out_cudnn_attention()
        self.processes, self.seed = processes, seed
        if restart and processes.is_first:
            (folder / VOCABULARY).unlink(missing_ok=True)
        self.subwords = processes.first_alone(lambda: vocabulary(corpus, setting, folder))
        how = {
            "subwords": self.subwords,
            "token_batches": parts.token_batches,
            "max_tokens": setting.max_tokens,
            "device": hardware.device,
        }
        self.batches = TokenBatches(corpus.train, seed=seed, **how)
        self.validation = list(TokenBatches(corpus.validation, **how))
        self.steps = setting.epochs * len(self.batches(0))
        self.scaler = hardware.scaler()
        self.dtype = hardware.dtype
        self.take_step = parts.mixed_precision_step
        size = len(self.subwords)
        self.loss_fn = parts.LabelSmoothing(size, PAD, setting.smoothing)
        training_run.seed_everything(seed)
        model = parts.make_model(size, size, **setting.sizes())
        self.model = (prepare(model) if prepare else model).to(hardware.device)
        self.shared = processes.share(self.model)

    def step(self, _, batch, loss_fn, optimizer, scheduler) -> float:
        how = {"scaler": self.scaler, "scheduler": scheduler, "dtype": self.dtype}
        part, weighed = self.processes.part_of(batch), self.processes.weigh(loss_fn)
        self.processes.draw_otherwise(self.seed, scheduler.last_epoch if scheduler else 0)
        try:
            loss = self.take_step(self.shared, part, weighed, optimizer, **how)
            return self.processes.mean(loss, batch[0].device)
        except RuntimeError as error:
            if "without overflow" not in str(error):
                raise
            raise OverflowError(texts()["run"]["overflow"]) from error


def adam(parameters) -> torch.optim.Optimizer:
    """Section 5.3's Adam, all parameters in one kernel."""
    return torch.optim.Adam(parameters, lr=1.0, betas=(0.9, 0.98), eps=1e-9, fused=True)


def vocabulary(corpus: Corpus, setting: Setting, folder: Path) -> Subwords:
    """The run's vocabulary: learnt from the pairs to learn from, and kept beside the run."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / VOCABULARY
    if file.is_file():
        return Subwords.load(file)
    sentences = [sentence for pair in corpus.train for sentence in pair]
    subwords = Subwords.learn(sentences, setting.vocabulary)
    subwords.save(file)
    return subwords
