"""Trains the translator of number words that comes with the students' package; takes minutes.

python -m autograder.lessons.train_number_translator
"""

import sys
from collections.abc import Callable
from pathlib import Path

import torch
from rich.console import Console

import transformer
import transformer_workbook as wb
from autograder.language import _
from transformer_workbook.lessons.number_words import words as number_words
from transformer_workbook.lessons.number_words.model import SETTING, WEIGHTS
from transformer_workbook.lessons.number_words.words import ENGLISH, GERMAN, PAD, Batches, Splits
from transformer_workbook.trainer.checkpoints import write_tensors

SEED = 0


def run(console: Console, path: Path = WEIGHTS) -> int:
    """The command: train, measure, and write the weights in half precision; 1 if one is wrong."""
    torch.set_num_threads(1)  # the order of sums is that of one thread
    numbers = SETTING.splits()
    with console.status("") as status:
        model = learn(numbers, status.update)
        learn_zero(model, numbers.train)
    for parameter in model.parameters():
        parameter.data = parameter.data.half().float()  # what students will get
    measured = [0, *numbers.test]  # the only one that is not unseen
    right = number_words.exact_match(model, measured, transformer.greedy_decode)
    write_tensors(path, {name: weight.half() for name, weight in model.state_dict().items()})
    message = _("{path}: {size:,} bytes, {right:.2%} of {count:,} numbers right")
    size = path.stat().st_size
    console.print(message.format(path=path.name, size=size, right=right, count=len(measured)))
    return int(right < 1)


def learn(numbers: Splits, say: Callable[[str], None]) -> transformer.Transformer:
    """The reference model, trained with the reference's functions as lesson 09 trains it."""
    wb.seed_everything(SEED)
    model: transformer.Transformer = transformer.make_model(
        len(GERMAN), len(ENGLISH), **SETTING.sizes
    )
    batches = Batches(numbers.train, SETTING.batch_size, SEED)

    def batches_of(epoch: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
        say(_("epoch {epoch} of {epochs}").format(epoch=epoch + 1, epochs=SETTING.epochs))
        return batches(epoch)

    wb.fit(
        model,
        batches_of,
        epochs=SETTING.epochs,
        train_step=transformer.train_step,
        loss_fn=transformer.LabelSmoothing(len(ENGLISH), PAD, SETTING.smoothing),
        noam_lr=transformer.noam_lr,
        evaluate=transformer.evaluate,
        validation=Batches(numbers.validation),
        warmup=SETTING.warmup,
        factor=SETTING.factor,
        seed=SEED,
        quiet=True,
    )
    return model


def learn_zero(model: transformer.Transformer, train: list[int], steps: int = 150) -> None:
    """Train the weights that 0 alone needs: the embedding of "null", and the row of "zero".

    No other number has these words, so `train` has one pair of them, too few to learn from. All
    other weights stay as they are, and batches of other numbers keep "zero" out of theirs.
    """
    embedding = model.get_parameter("src_embed.0.embedding.weight")
    projection = model.get_parameter("generator.proj.weight")
    (null,), (zero,) = GERMAN.encode(["null"]), ENGLISH.encode(["zero"])
    hooks = [embedding.register_hook(_row(null)), projection.register_hook(_row(zero))]
    # The row of "zero" takes part in every translation, so it changes as little as it can.
    groups = [{"params": [embedding], "lr": 0.02}, {"params": [projection], "lr": 0.001}]
    optimizer = torch.optim.Adam(groups)
    loss_fn = transformer.LabelSmoothing(len(ENGLISH), PAD, SETTING.smoothing)
    for step in range(steps):
        others = [train[(60 * step + i) % len(train)] for i in range(60)]
        (batch,) = Batches([0, 0, 0, 0, *others])(0)
        transformer.train_step(model, batch, loss_fn, optimizer)
    for hook in hooks:
        hook.remove()


def _row(index: int) -> Callable[[torch.Tensor], torch.Tensor]:
    """A hook that keeps one row of a gradient."""

    def keep(gradient: torch.Tensor) -> torch.Tensor:
        kept = torch.zeros_like(gradient)
        kept[index] = gradient[index]
        return kept

    return keep


if __name__ == "__main__":
    sys.exit(run(Console()))
