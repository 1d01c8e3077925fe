"""Translates with a model that a student handed in: data alone, and yet in a sandbox.

Started as a script by `scorer.py`, with all that it needs on its standard input. First it
imports what it needs, then it confines itself, and only then does it look at what was handed in.
What it tells is a line of JSON each time: {"ready": true}, then {"refused": why, "status": ...}
or {"loaded": {...}}, then {"translations": [...]}. No code of the student's runs here.
"""

import json
import os
import sys
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

import transformer
from autograder.sandbox.student.confine import Confinement, enter
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
from transformer_workbook.translation.texts import texts
from transformer_workbook.translation.translator import Translator

DTYPES = ("F16", "BF16", "F32")
LARGEST_HEADER = 1 << 20  # bytes
LONGEST = 1000  # characters of a translation that are told


def main() -> None:
    order = json.loads(sys.stdin.buffer.readline())
    files = {name: sys.stdin.buffer.read(size) for name, size in order["files"]}
    # The same sums in the same order, whatever the machine: one thread.
    torch.set_num_threads(1)
    keep_freed_memory()
    texts()
    Subwords([])  # imports the library
    if order["folder"]:
        os.chdir(order["folder"])
    enter(Confinement.from_json(order["confinement"]), keep=(1, 2), confiner=os.getpid())
    tell(ready=True)
    for name, content in files.items():
        Path(name).write_bytes(content)
    files.clear()
    try:
        translator = load(Path("."), order["max_len"])
        model = translator.model
        count = sum(parameter.numel() for parameter in model.parameters())
        tell(loaded={"parameters": count, "subwords": len(translator.subwords)})
        translations = translate(translator, order["sentences"], order["options"])
    except (BadHandIn, BadVocabulary) as error:
        tell(refused=str(error), status="failed")
    except SafetensorError as error:
        tell(refused=texts()["hand_in"]["not_safetensors"].format(reason=error), status="error")
    except MemoryError:
        tell(refused="", status="out_of_memory")
    except RuntimeError as error:
        if "allocate memory" not in str(error):
            raise
        tell(refused="", status="out_of_memory")
    else:
        tell(translations=[text[:LONGEST] for text in translations])


def tell(**what: object) -> None:
    print(json.dumps(what), flush=True)  # all in ASCII, whatever characters are in it


def load(folder: Path, max_len: int) -> Translator:
    """The reference's model with the weights of a folder, and their vocabulary.

    Raises BadHandIn, BadVocabulary, SafetensorError.
    """
    said = texts()["hand_in"]
    sizes = read_sizes((folder / SETTINGS).read_bytes())
    subwords = Subwords.load(folder / VOCABULARY)
    with (folder / WEIGHTS).open("rb") as file:
        if int.from_bytes(file.read(8), "little") > LARGEST_HEADER:
            raise BadHandIn(said["header"])
    with safe_open(folder / WEIGHTS, "pt") as file:
        slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118
        came = {name: tuple(one.get_shape()) for name, one in slices.items()}
        table = came.get("src_embed.0.embedding.weight", (0,))[0]
        if table and table != len(subwords):
            raise BadHandIn(said["vocabulary"].format(weights=table, vocabulary=len(subwords)))
        require_layout(came, layout(transformer.make_model, len(subwords), sizes))
        for name, one in slices.items():
            if one.get_dtype() not in DTYPES:
                raise BadHandIn(said["dtype"].format(name=name, came=one.get_dtype()))
        weights = {name: file.get_tensor(name).float() for name in slices}
    require_finite(weights)
    model = filled(transformer.make_model, weights, len(subwords), sizes)
    return Translator(model, subwords, min(max_len, sizes["max_len"]))


def translate(translator: Translator, sentences: list[str], options: dict) -> list[str]:
    """The English of the sentences. Raises BadHandIn for a model too short for them."""
    longest = sources(sentences, translator.subwords).size(1)
    for part in translator.model.modules():
        if getattr(part, "max_len", longest) < longest:
            said = texts()["hand_in"]["too_short"]
            raise BadHandIn(said.format(came=part.max_len, longest=longest))
    return translator.translate(sentences, transformer.cached_beam_search, **options)


if __name__ == "__main__":
    main()
