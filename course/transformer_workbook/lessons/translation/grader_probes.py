"""Probes of a translator that was handed in: the grader loads its files, as data, and translates.

They run in the grader's sandbox, in the folder that holds the files. No code of the student's runs
there, but the parsers of the files may have faults.
"""

import functools
import os
from pathlib import Path

from safetensors import SafetensorError, safe_open

from ...shared.language import _
from ...shared.packing import header_size
from .batches import sources
from .hand_in import (
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
from .hardware import keep_freed_memory
from .subwords import BadVocabulary, Subwords
from .trained_translator import Translator

DTYPES = ("F16", "BF16", "F32")
LARGEST_HEADER = 1 << 20  # bytes
LONGEST = 1000  # characters of a translation that are reported


def loads(reference, max_len: int) -> dict:
    """The size of the model in this folder, or why it was `refused` and with which `status`.

    `reference` has the functions make_model and cached_beam_search.
    """
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    keep_freed_memory()
    try:
        translator = _loaded(reference, max_len)
    except (BadHandIn, BadVocabulary) as error:
        return {"refused": str(error), "status": "failed"}
    except SafetensorError as error:
        message = _("weights.safetensors is not a safetensors file, or a damaged one ({reason}).")
        return {"refused": message.format(reason=error), "status": "error"}
    count = sum(parameter.numel() for parameter in translator.model.parameters())
    return {"parameters": count, "subwords": len(translator.subwords)}


def translates(reference, max_len: int, sentences: list[str], options: dict) -> dict:
    """The English of the sentences, or why the model was `refused`; `loads` has to come before."""
    translator = _loaded(reference, max_len)
    try:
        translations = translate(reference, translator, sentences, options)
    except BadHandIn as error:
        return {"refused": str(error), "status": "failed"}
    return {"translations": [text[:LONGEST] for text in translations]}


@functools.cache
def _loaded(reference, max_len: int) -> Translator:
    return load(reference, Path("."), max_len)


def load(reference, folder: Path, max_len: int) -> Translator:
    """The reference's model with the weights of a folder, and their vocabulary.

    Raises BadHandIn, BadVocabulary, SafetensorError.
    """
    sizes = read_sizes((folder / SETTINGS).read_bytes())
    subwords = Subwords.load(folder / VOCABULARY)
    with (folder / WEIGHTS).open("rb") as file:
        if header_size(file.read(8)) > LARGEST_HEADER:
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
        require_layout(shapes, layout(reference.make_model, len(subwords), sizes))
        for name, slice in slices.items():
            if slice.get_dtype() not in DTYPES:
                message = _(
                    "weights.safetensors has {name} as {actual}; expected F16, BF16 or F32."
                )
                raise BadHandIn(message.format(name=name, actual=slice.get_dtype()))
        weights = {name: file.get_tensor(name).float() for name in slices}
    require_finite(weights)
    model = filled(reference.make_model, weights, len(subwords), sizes)
    return Translator(model, subwords, min(max_len, sizes["max_len"]))


def translate(reference, translator: Translator, sentences: list[str], options: dict) -> list[str]:
    """The English of the sentences. Raises BadHandIn for a model too short for them."""
    longest = sources(sentences, translator.subwords).size(1)
    for part in translator.model.modules():
        if getattr(part, "max_len", longest) < longest:
            message = _(
                "The model takes {actual} positions at most, and a sentence of the grader takes "
                "{longest}."
            )
            raise BadHandIn(message.format(actual=part.max_len, longest=longest))
    return translator.translate(sentences, reference.cached_beam_search, **options)
