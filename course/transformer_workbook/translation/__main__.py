"""The command that trains and scores: python -m transformer_workbook.translation --help."""

import argparse
import dataclasses
import importlib
import json
import os
import sys
from pathlib import Path

import torch

from ..training import checkpoints
from ..training.fit import epoch_files
from .config import CONFIGS, Config, choose
from .corpus import Corpus, NoCorpus, multi30k, numbers
from .hardware import Hardware, detect
from .processes import LostProcess, Processes
from .run import Outcome, Parts, train
from .texts import texts

PRECISIONS = ("float32", "bfloat16", "float16")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit code: 0, or 1 with a line on stderr if the run cannot be made."""
    options = _parser().parse_args(arguments)
    hardware = _hardware(options.device, options.precision)
    processes = Processes.join(hardware.device.type)
    try:
        config = _changed(choose(hardware, options.setting), options.change)
        parts, prepare = _parts(options.parts, options.plain)
        corpus = processes.first_alone(lambda: _corpus(options.data)).cut(config.pairs)
        rows = []
        for seed in range(options.seeds):
            folder = Path(options.out, f"seed-{seed}")
            how = {"hardware": hardware, "prepare": prepare, "processes": processes, "seed": seed}
            outcome = train(corpus, config, parts, folder, **how)
            if processes.is_first:
                rows.append(_scores(outcome, corpus, config, parts, seed))
                _write(Path(options.out), hardware, config, processes, rows)
            processes.wait()
    except (ValueError, NoCorpus, LostProcess, ArithmeticError) as problem:
        print(problem, file=sys.stderr)
        return 1
    processes.leave()
    return 0


def _parser() -> argparse.ArgumentParser:
    said = texts()["command"]
    parser = argparse.ArgumentParser("transformer_workbook.translation", description=said["about"])
    parser.add_argument("--parts", help=said["parts"])
    parser.add_argument("--setting", help=said["setting"].format(known=", ".join(CONFIGS)))
    parser.add_argument("--change", action="append", default=[], help=said["change"])
    parser.add_argument("--seeds", type=int, default=1, help=said["seeds"])
    parser.add_argument("--out", default="translation-results", help=said["out"])
    parser.add_argument("--data", help=said["data"])
    parser.add_argument("--device", choices=["cuda", "cpu"], help=said["device"])
    parser.add_argument("--precision", choices=PRECISIONS, help=said["precision"])
    parser.add_argument("--plain", action="store_true", help=said["plain"])
    return parser


def _hardware(device: str | None, precision: str | None) -> Hardware:
    hardware = detect(device, getattr(torch, precision) if precision else None)
    if hardware.device.type != "cuda":
        return hardware
    local = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.cuda.set_device(local)
    return dataclasses.replace(hardware, device=local)


def _changed(config: Config, changes: list[str]) -> Config:
    known = ", ".join(field.name for field in dataclasses.fields(config))
    for change in changes:
        name, _, value = change.partition("=")
        try:
            config = dataclasses.replace(config, **{name: json.loads(value)})
        except (TypeError, ValueError) as error:
            said = texts()["command"]["bad_change"]
            raise ValueError(said.format(change=change, known=known)) from error
    return config


def _corpus(data: str | None) -> Corpus:
    return numbers(2000, 100, 100) if data == "numbers" else multi30k(data)


def _parts(name: str | None, plain: bool):
    """The components of package `name` (None: the student's), and lesson 12's `fuse` if any."""
    if name is None:
        return Parts.of_student(), None
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        said = texts()["command"]["no_package"]
        raise ValueError(said.format(name=name, problem=error)) from error
    missing = [part.name for part in dataclasses.fields(Parts) if not hasattr(module, part.name)]
    if missing:
        raise ValueError(texts()["command"]["no_parts"].format(name=name, missing=missing))
    parts = Parts.of_module(module)
    if plain or not hasattr(module, "fuse"):
        return parts, None
    return dataclasses.replace(parts, LabelSmoothing=module.FusedLabelSmoothing), module.fuse


def _scores(outcome: Outcome, corpus: Corpus, config: Config, parts: Parts, seed: int) -> dict:
    """One run's results: validation BLEU of each way to decode, test BLEU of beam search."""
    translator, beam = outcome.translator, _beam(config)
    model = translator.model
    averaged = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    last = epoch_files(outcome.folder / "run.safetensors")[-1]
    checkpoints.load_weights(model, last)
    scores = {"last, greedy": translator.bleu(corpus.validation, parts.greedy_decode).score}
    model.load_state_dict(averaged)
    scores["average, greedy"] = translator.bleu(corpus.validation, parts.greedy_decode).score
    scores["average, beam"] = translator.bleu(corpus.validation, parts.beam_search, **beam).score
    test = translator.bleu(corpus.test, parts.beam_search, **beam)
    row = {
        "seed": seed,
        "seconds": outcome.seconds,
        "tokens_per_second": outcome.tokens / max(outcome.seconds, 1e-9),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "validation": scores,
        "validation_loss": outcome.run.validation[-1][1],
        "test": test.score,
        "signature": test.signature,
        "losses": outcome.run.losses,
    }
    said = texts()["command"]["seed"]
    minutes, rate = row["seconds"] / 60, row["tokens_per_second"]
    print(said.format(seed=seed, minutes=minutes, rate=rate))
    for name, score in scores.items():
        print(f"  validation, {name}: {score:.2f}")
    print(f"  test: BLEU {test}", flush=True)
    return row


def _beam(config: Config) -> dict:
    return {"beam_size": config.beam_size, "length_penalty": config.length_penalty}


def _write(out: Path, hardware, config, processes, rows: list[dict]) -> None:
    """Write results.json and results.md into `out`, and print the latter."""
    mean = sum(row["test"] for row in rows) / len(rows)
    about = {
        "device": hardware.name,
        "processes": processes.count,
        "precision": str(hardware.dtype or torch.float32).removeprefix("torch."),
        "torch": torch.__version__,
        "setting": config.to_tree(),
        "mean_test": mean,
        "runs": rows,
    }
    (out / "results.json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    ways = list(rows[0]["validation"])
    lines = [
        f"{hardware.name}, {about['precision']}, torch {torch.__version__}, "
        f"{rows[0]['parameters']:,} parameters",
        "",
        f"| seed | minutes | tokens/s | {' | '.join(ways)} | test, beam |",
        f"|---|---|---|{'---|' * len(ways)}---|",
    ]
    for row in rows:
        scores = " | ".join(f"{row['validation'][way]:.2f}" for way in ways)
        lines.append(
            f"| {row['seed']} | {row['seconds'] / 60:.1f} | {row['tokens_per_second']:,.0f} "
            f"| {scores} | {row['test']:.2f} |"
        )
    lines += ["", f"Mean of the tests: {mean:.2f}, `{rows[0]['signature']}`", ""]
    (out / "results.md").write_text("\n".join(lines), encoding="utf-8")
    print((out / "results.md").read_text(encoding="utf-8"), flush=True)


if __name__ == "__main__":
    sys.exit(main())
