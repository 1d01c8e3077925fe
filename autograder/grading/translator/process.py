"""Translates with a model that a student handed in.

`runner.py` starts this script and writes all that it needs to its standard input. It imports its
libraries, confines itself, and only then parses what was handed in: no code of the student's runs
here, but the parsers may have faults. It reports events, each a line of JSON: {"ready": true},
then {"refused": why, "status": ...} or {"loaded": {...}}, then {"translations": [...]}.
"""

import json
import os
import sys
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

import transformer
from autograder.language import _
from autograder.sandbox.student.confinement.confine import Confinement, enter
from transformer_workbook.translation.batches import sources
from transformer_workbook.translation.hand_in import (
    SETTINGS,
    VOCABULARY,
    WEIGHTS,
    BadHandIn,
    filled,
    layout,
    read_sizes,
    require_finite,
    require_layout,
)
from transformer_workbook.translation.hardware import keep_freed_memory
from transformer_workbook.translation.subwords import BadVocabulary, Subwords
from transformer_workbook.translation.translator import Translator

DTYPES = ("F16", "BF16", "F32")
LARGEST_HEADER = 1 << 20  # bytes
LONGEST = 1000  # characters of a translation that are reported


def main() -> None:
    order = json.loads(sys.stdin.buffer.readline())
    files = {name: sys.stdin.buffer.read(size) for name, size in order["files"]}
    # With one thread, sums are in the same order on every machine.
    torch.set_num_threads(1)
    keep_freed_memory()
    Subwords([])  # imports the library
    if order["folder"]:
        os.chdir(order["folder"])
    enter(Confinement.from_json(order["confinement"]), keep=(1, 2), confiner=os.getpid())
    report(ready=True)
    for name, content in files.items():
        Path(name).write_bytes(content)
    files.clear()
    try:
        translator = load(Path("."), order["max_len"])
        model = translator.model
        count = sum(parameter.numel() for parameter in model.parameters())
        report(loaded={"parameters": count, "subwords": len(translator.subwords)})
        translations = translate(translator, order["sentences"], order["options"])
    except (BadHandIn, BadVocabulary) as error:
        report(refused=str(error), status="failed")
    except SafetensorError as error:
        message = _("weights.safetensors is not a safetensors file, or a damaged one ({reason}).")
        report(refused=message.format(reason=error), status="error")
    except MemoryError:
        report(refused="", status="out_of_memory")
    except RuntimeError as error:
        if "allocate memory" not in str(error):
            raise
        report(refused="", status="out_of_memory")
    else:
        report(translations=[text[:LONGEST] for text in translations])


def report(**event: object) -> None:
    print(json.dumps(event), flush=True)  # json.dumps escapes all that is not ASCII


def load(folder: Path, max_len: int) -> Translator:
    """The reference's model with the weights of a folder, and their vocabulary.

    Raises BadHandIn, BadVocabulary, SafetensorError.
    """
    sizes = read_sizes((folder / SETTINGS).read_bytes())
    subwords = Subwords.load(folder / VOCABULARY)
    with (folder / WEIGHTS).open("rb") as file:
        if int.from_bytes(file.read(8), "little") > LARGEST_HEADER:
            raise BadHandIn(
                _(
                    "weights.safetensors is not a safetensors file, or one with a header of more "
                    "than 1 MB."
                )
            )
    with safe_open(folder / WEIGHTS, "pt") as file:
        slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118
        shapes = {name: tuple(slice.get_shape()) for name, slice in slices.items()}
        rows = shapes.get("src_embed.0.embedding.weight", (0,))[0]
        if rows and rows != len(subwords):
            message = _(
                "weights.safetensors is for {weights} sub-words, vocabulary.json has {vocabulary}. "
                "Hand in the files of one run."
            )
            raise BadHandIn(message.format(weights=rows, vocabulary=len(subwords)))
        require_layout(shapes, layout(transformer.make_model, len(subwords), sizes))
        for name, slice in slices.items():
            if slice.get_dtype() not in DTYPES:
                message = _(
                    "weights.safetensors has {name} as {came}; expected is F16, BF16 or F32."
                )
                raise BadHandIn(message.format(name=name, came=slice.get_dtype()))
        weights = {name: file.get_tensor(name).float() for name in slices}
    require_finite(weights)
    model = filled(transformer.make_model, weights, len(subwords), sizes)
    return Translator(model, subwords, min(max_len, sizes["max_len"]))


def translate(translator: Translator, sentences: list[str], options: dict) -> list[str]:
    """The English of the sentences. Raises BadHandIn for a model too short for them."""
    longest = sources(sentences, translator.subwords).size(1)
    for part in translator.model.modules():
        if getattr(part, "max_len", longest) < longest:
            message = _(
                "The model takes {came} positions at most, and a sentence of the grader takes "
                "{longest}."
            )
            raise BadHandIn(message.format(came=part.max_len, longest=longest))
    return translator.translate(sentences, transformer.cached_beam_search, **options)


if __name__ == "__main__":
    main()
