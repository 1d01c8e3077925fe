"""The command that trains and scores: python -m transformer_workbook.translation --help."""

import argparse
import dataclasses
import importlib
import json
import os
import sys
from pathlib import Path

import torch

from ..shared.language import _
from ..training.checkpoints import BadCheckpoint
from .config import CONFIGS, Config, choose
from .corpus import Corpus, NoCorpus, multi30k, numbers
from .hardware import Hardware, detect
from .processes import LostProcess, Processes
from .run import Parts, TrainingOutcome, train

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
        # What results are compared by. In a notebook a run may continue with corrected parts, or on
        # another GPU.
        about = {
            "parts": options.parts or "own",
            "plain": prepare is None,
            "precision": _precision(hardware),
        }
        rows = []
        for seed in range(options.seeds):
            folder = Path(options.out, f"seed-{seed}")
            how = {"hardware": hardware, "prepare": prepare, "processes": processes, "seed": seed}
            how |= {"restart": options.restart, "about": about}
            outcome = train(corpus, config, parts, folder, **how)
            if processes.is_first:
                rows.append(_scores(outcome, corpus, config, parts, seed))
                _write(Path(options.out), hardware, config, processes, rows)
            processes.wait()
    except BadCheckpoint as problem:
        print(problem, file=sys.stderr)
        print(_("restart=True is --restart here; --out names another folder."), file=sys.stderr)
        return 1
    except (ValueError, NoCorpus, LostProcess, ArithmeticError) as problem:
        print(problem, file=sys.stderr)
        return 1
    processes.leave()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "transformer_workbook.translation",
        description=_(
            "Train German to English from end to end, score it, and write results.json and "
            "results.md. Started again, it resumes where it stopped. With several GPUs: torchrun "
            "--nproc-per-node 2 -m transformer_workbook.translation ..."
        ),
    )
    parser.add_argument(
        "--parts",
        help=_(
            "the package that the components come from, such as the reference solution's, "
            "transformer; without it they are your own, stand-ins where missing"
        ),
    )
    parser.add_argument(
        "--setting",
        help=_("one of {known}; chosen by the hardware if not given").format(
            known=", ".join(CONFIGS)
        ),
    )
    parser.add_argument(
        "--change",
        action="append",
        default=[],
        help=_(
            "another value for one of the setting's fields, such as epochs=20; may be given "
            "several times"
        ),
    )
    parser.add_argument(
        "--seeds", type=_seeds, default=1, help=_("how many seeds to train with, 0, 1, ...")
    )
    parser.add_argument(
        "--out", default="translation-results", help=_("the folder of checkpoints and results")
    )
    parser.add_argument(
        "--data",
        help=_(
            "the folder with Multi30k's files, or numbers for number words; downloaded if not given"
        ),
    )
    parser.add_argument(
        "--device", choices=["cuda", "cpu"], help=_("cuda or cpu; the best one if not given")
    )
    parser.add_argument(
        "--precision",
        choices=PRECISIONS,
        help=_("of the matrix products; chosen for the device if not given"),
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help=_("without the fused parts of lesson 12, where --parts has them"),
    )
    parser.add_argument(
        "--restart",
        action="store_true",
        help=_("start over, in place of the run that the folder holds"),
    )
    return parser


def _seeds(text: str) -> int:
    if text.isdecimal() and (count := int(text)):
        return count
    raise argparse.ArgumentTypeError(
        _("{text!r}; expected a whole number, 1 or more").format(text=text)
    )


def _hardware(device: str | None, precision: str | None) -> Hardware:
    hardware = detect(device, getattr(torch, precision) if precision else None)
    if hardware.device.type != "cuda":
        return hardware
    local = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.cuda.set_device(local)
    return dataclasses.replace(hardware, device=local)


def _precision(hardware: Hardware) -> str:
    """The name of the dtype that is trained in."""
    return str(hardware.dtype or torch.float32).removeprefix("torch.")


def _changed(config: Config, changes: list[str]) -> Config:
    known = [field.name for field in dataclasses.fields(config)]
    values = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals or name not in known:
            message = _(
                "{change!r} changes no field of the setting; write name=value, with one of {known}."
            )
            raise ValueError(message.format(change=change, known=", ".join(known)))
        values[name] = _value(value)
    return dataclasses.replace(config, **values)


def _value(text: str) -> object:
    """A value in Python's words or in JSON's; a text that is neither, as it is."""
    try:
        return json.loads({"True": "true", "False": "false", "None": "null"}.get(text, text))
    except ValueError:
        return text


def _corpus(data: str | None) -> Corpus:
    return numbers(2000, 100, 100) if data == "numbers" else multi30k(data)


def _parts(name: str | None, plain: bool):
    """The components of package `name` (None: the student's), and lesson 12's `fuse` if any."""
    if name is None:
        return Parts.of_student(), None
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        message = _(
            "--parts {name}: there is no such package here ({problem}). The reference is installed "
            "with the whole repository: pip install -e . in its folder. Without --parts, your own "
            "components are taken."
        )
        raise ValueError(message.format(name=name, problem=error)) from error
    missing = [part.name for part in dataclasses.fields(Parts) if not hasattr(module, part.name)]
    if missing:
        raise ValueError(
            _("{name!r} lacks {missing}: it is not a package of the course's components.").format(
                name=name, missing=missing
            )
        )
    parts = Parts.of_module(module)
    if plain or not hasattr(module, "fuse"):
        return parts, None
    return dataclasses.replace(parts, LabelSmoothing=module.FusedLabelSmoothing), module.fuse


def _scores(
    outcome: TrainingOutcome, corpus: Corpus, config: Config, parts: Parts, seed: int
) -> dict:
    """One run's results: BLEU on validation, which chooses the weights, then on the test set."""
    translator, beam = outcome.translator, _beam(config)
    greedy = {}
    for name in outcome.weights:
        outcome.take(name)
        greedy[name] = translator.bleu(corpus.validation, parts.greedy_decode).score
    outcome.take(max(greedy, key=greedy.__getitem__))
    scores = {f"{name}, greedy": score for name, score in greedy.items()}
    scores["chosen, beam"] = translator.bleu(corpus.validation, parts.beam_search, **beam).score
    test = translator.bleu(corpus.test, parts.beam_search, **beam)
    row = {
        "seed": seed,
        "seconds": outcome.seconds,
        "tokens_per_second": outcome.tokens / max(outcome.seconds, 1e-9),
        "parameters": sum(parameter.numel() for parameter in translator.model.parameters()),
        "chosen": outcome.taken,
        "validation": scores,
        "validation_loss": outcome.run.validation[-1][1],
        "test": test.score,
        "signature": test.signature,
        "losses": outcome.run.losses,
    }
    message = _("seed {seed}: {minutes:.1f} min of training, {rate:,.0f} target tokens a second")
    minutes, rate = row["seconds"] / 60, row["tokens_per_second"]
    print(message.format(seed=seed, minutes=minutes, rate=rate))
    for name, score in scores.items():
        print(_("  validation, {way}: {score:.2f}").format(way=name, score=score))
    print(_("  test: BLEU {score}").format(score=test), flush=True)
    return row


def _beam(config: Config) -> dict:
    return {"beam_size": config.beam_size, "length_penalty": config.length_penalty}


def _write(out: Path, hardware, config, processes, rows: list[dict]) -> None:
    """Write results.json and results.md into `out`, and print the latter."""
    mean = sum(row["test"] for row in rows) / len(rows)
    about = {
        "device": hardware.name,
        "processes": processes.count,
        "precision": _precision(hardware),
        "torch": torch.__version__,
        "setting": config.to_tree(),
        "mean_test": mean,
        "runs": rows,
    }
    (out / "results.json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    ways = list(rows[0]["validation"])
    parameters = _("{total:,} parameters").format(total=rows[0]["parameters"])
    head = [_("seed"), _("minutes"), _("tokens/s"), *ways, _("test, beam")]
    lines = [
        f"{hardware.name}, {about['precision']}, torch {torch.__version__}, {parameters}",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
    ]
    for row in rows:
        scores = " | ".join(f"{row['validation'][way]:.2f}" for way in ways)
        lines.append(
            f"| {row['seed']} | {row['seconds'] / 60:.1f} | {row['tokens_per_second']:,.0f} "
            f"| {scores} | {row['test']:.2f} ({row['chosen']}) |"
        )
    summary = _("Mean of the tests: {mean:.2f}, `{signature}`")
    lines += ["", summary.format(mean=mean, signature=rows[0]["signature"]), ""]
    (out / "results.md").write_text("\n".join(lines), encoding="utf-8")
    print((out / "results.md").read_text(encoding="utf-8"), flush=True)


if __name__ == "__main__":
    sys.exit(main())
