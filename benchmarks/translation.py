"""python -m benchmarks.translation: train a setting on Multi30k and score it.

So docs/translation.md was measured: with the reference's components and the fused parts of lesson
12, or without these (--plain).
"""

import argparse
import ast
import tempfile
from dataclasses import replace

import torch

import transformer
from transformer_workbook.lessons import translation


def run(setting: str | None, changes: dict, seed: int, plain: bool, device: str | None) -> None:
    """Train with one seed; print the device, the time and the scores.

    BLEU on validation chooses the weights; the test set is scored once, with a beam.
    """
    hardware = translation.detect(device)
    config = replace(translation.choose(hardware, setting), **changes)
    corpus = translation.multi30k().cut(config.pairs)
    parts, fuse = translation.Parts.of_module(transformer), None
    if not plain:
        parts = replace(parts, LabelSmoothing=transformer.FusedLabelSmoothing)
        fuse = transformer.fuse
    with tempfile.TemporaryDirectory() as folder:
        how = {"seed": seed, "hardware": hardware, "prepare": fuse}
        outcome = translation.train(corpus, config, parts, folder, **how)
    translator = outcome.translator
    parameters = sum(parameter.numel() for parameter in translator.model.parameters())
    precision = str(hardware.dtype or torch.float32).removeprefix("torch.")
    print(f"{hardware.name}, {precision}, torch {torch.__version__}, {parameters:,} parameters")
    tokens = outcome.tokens / outcome.seconds
    print(f"{outcome.seconds / 60:.1f} min of training, {tokens:,.0f} target tokens a second")

    beam = {"beam_size": config.beam_size, "length_penalty": config.length_penalty}
    greedy = {}
    for name in outcome.weights:
        outcome.take(name)
        greedy[name] = translator.bleu(corpus.validation, parts.greedy_decode).score
        searched = translator.bleu(corpus.validation, parts.beam_search, **beam).score
        print(f"validation, {name}: greedy {greedy[name]:.2f}, beam {searched:.2f}", flush=True)
    outcome.take(max(greedy, key=greedy.__getitem__))
    test = translator.bleu(corpus.test, parts.beam_search, **beam)
    print(f"test, beam, {outcome.taken}: {test}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser("benchmarks.translation", description=__doc__)
    parser.add_argument("--setting", help="gpu, cpu-long, cpu or trial; else that of the hardware")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", help="cuda or cpu; else the best one")
    parser.add_argument("--plain", action="store_true", help="without the parts of lesson 12")
    parser.add_argument(
        "changes", nargs="*", metavar="FIELD=VALUE", help="another value of one of its fields"
    )
    options = parser.parse_args()
    pairs = (change.split("=", 1) for change in options.changes)
    changes = {name: ast.literal_eval(value) for name, value in pairs}
    run(options.setting, changes, options.seed, options.plain, options.device)


if __name__ == "__main__":
    main()
