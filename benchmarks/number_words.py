"""The number words of lessons 09 and 10, learnt by the reference's modules."""

import statistics
import time

import torch

import transformer
import transformer_workbook as wb
from autograder.authoring.train_number_translator import learn
from benchmarks import Measured, Say
from transformer_workbook.lessons.number_words import words as number_words
from transformer_workbook.lessons.number_words.words import LESSON, Splits

SEEDS = (0, 1, 2)
TARGET = 0.99  # of unseen numbers, with each seed


def exact_match(say: Say) -> Measured:
    """Number words: unseen numbers translated without a fault.

    Seconds are those of one thread's own work, whatever else the machine does.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    rows, shares, missed = [], [], []
    for seed in SEEDS:
        numbers = LESSON.splits(seed)
        start = time.process_time()
        model, run = learn(numbers, seed, lambda now, seed=seed: say(f"seed {seed}, {now}"))
        seconds = time.process_time() - start
        share = number_words.exact_match(model, numbers.test, transformer.greedy_decode)
        beam = number_words.exact_match(model, numbers.test, transformer.beam_search)
        short = number_words.exact_match(model, range(100), transformer.greedy_decode)
        measured = [f"{100 * one:.2f} %" for one in (share, beam, short, crossing(model, numbers))]
        rows.append([str(seed), str(len(run.losses)), f"{seconds:.0f}", *measured])
        shares.append(share)
        if share < TARGET:
            missed.append(f"seed {seed} has {share:.2%} of unseen numbers right, not {TARGET:.0%}")
    rows.append(["mean", "", "", f"{100 * statistics.mean(shares):.2f} %", "", "", ""])
    torch.set_num_threads(threads)
    columns = ["seed", "steps", "CPU s", "greedy", "beam 4", "0 to 99, greedy", "crossing seen"]
    return Measured(columns, rows, missed)


def crossing(model, numbers: Splits, count: int = 200) -> float:
    """How often the tens attend to the right of the units, as German writes them."""
    crossed = []
    for n in [n for n in numbers.test if n % 100 > 20 and n % 10][:count]:
        src, tgt = (number_words.pad([ids]) for ids in number_words.pair(n))
        strongest = wb.cross_attention(model, src, tgt).argmax(dim=1)
        tens, units = strongest[-3], strongest[-2]  # the last row writes the end mark
        crossed.append(bool(tens > units))
    return statistics.mean(crossed)
