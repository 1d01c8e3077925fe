"""What was handed in is looked at as data alone; what is not what it should be gets a reason."""

import io
import json
import struct

import pytest
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

import transformer
from transformer_workbook.lessons.translation.grader_probes import load, translate
from transformer_workbook.lessons.translation.hand_in import (
    SETTINGS,
    VOCABULARY,
    WEIGHTS,
    BadHandIn,
    hand_in,
)
from transformer_workbook.lessons.translation.subwords import BadVocabulary, Subwords
from transformer_workbook.lessons.translation.trained_translator import Translator

REFUSED = (BadHandIn, BadVocabulary, SafetensorError)
SIZES = {"num_layers": 1, "d_model": 8, "num_heads": 2, "d_ff": 12}
FIRST = "src_embed.0.embedding.weight"


@pytest.fixture
def folder(tmp_path, capsys):
    """What an untrained model's hand_in writes."""
    torch.manual_seed(0)
    subwords = Subwords.learn(["Ein Mann liest.", "A man is reading."], 270)
    model = transformer.make_model(len(subwords), len(subwords), tie_weights=True, **SIZES)
    hand_in(Translator(model, subwords), tmp_path)
    return tmp_path


def weights(folder, change) -> None:
    found = load_file(folder / WEIGHTS)
    save_file(change(found) or found, folder / WEIGHTS)


def header(folder, change) -> None:
    """Write a file with another header before the same bytes."""
    content = (folder / WEIGHTS).read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    text = change(json.loads(content[8 : 8 + size]))
    text = text if isinstance(text, bytes) else json.dumps(text).encode()
    (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(text)) + text + content[8 + size :])


def overlapping(entries: dict) -> dict:
    last = max(
        (name for name in entries if name != "__metadata__"),
        key=lambda name: entries[name]["data_offsets"],
    )
    entries[last]["data_offsets"] = [one - 2 for one in entries[last]["data_offsets"]]
    return entries


def sizes(folder, **changed) -> None:
    path = folder / SETTINGS
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))


def pickled(folder) -> None:
    with io.BytesIO() as file:
        torch.save({"weight": torch.ones(2)}, file)
        (folder / WEIGHTS).write_bytes(file.getvalue())


def test_what_hand_in_writes_is_taken(folder):
    translator = load(transformer, folder, max_len=5)
    english = translate(transformer, translator, ["Ein Mann liest.", ""], {"beam_size": 2})
    assert len(english) == 2 and all(isinstance(one, str) for one in english)
    assert not translator.model.training


def test_weights_of_float32_and_bfloat16_are_taken_too(folder):
    for dtype in (torch.float32, torch.bfloat16):
        weights(folder, lambda found, to=dtype: {name: one.to(to) for name, one in found.items()})
        assert load(transformer, folder, 5).model.generator.proj.bias.dtype is torch.float32


def without_bias(found: dict) -> dict:
    return {name: tensor for name, tensor in found.items() if name != "generator.proj.bias"}


def set_first(value):
    def change(found):
        found[FIRST][3, 2] = value

    return change


BROKEN = {
    "a NaN": (lambda f: weights(f, set_first(float("nan"))), FIRST),
    "an infinity": (lambda f: weights(f, set_first(float("-inf"))), FIRST),
    "a missing tensor": (lambda f: weights(f, without_bias),
                         "generator.proj.bias"),
    "one too many": (lambda f: weights(f, lambda w: w | {"extra": torch.ones(1)}), "extra"),
    "another shape": (lambda f: weights(f, lambda w: w | {"generator.proj.bias": torch.ones(3)}),
                      r"generator.proj.bias \(3,\)"),
    "another dtype": (lambda f: weights(f, lambda w: w | {FIRST: w[FIRST].to(torch.int8)}), "I8"),
    "a pickle": (pickled, "not a safetensors file"),
    "an empty file": (lambda f: (f / WEIGHTS).write_bytes(b""), "(?i)header"),
    "a file cut off": (lambda f: (f / WEIGHTS).write_bytes((f / WEIGHTS).read_bytes()[:-9]), ""),
    "a huge header": (lambda f: header(f, lambda h: b" " * (1 << 20) + b"{}"), "1 MB"),
    "a header that is promised": (
        lambda f: (f / WEIGHTS).write_bytes(struct.pack("<Q", 2**63) + b"{}"), "1 MB"),
    "a deep header": (lambda f: header(f, lambda h: b'{"a":' * 50_000 + b"1" + b"}" * 50_000), ""),
    "overlapping tensors": (lambda f: header(f, overlapping), "(?i)offset"),
    "a shape of more than there is": (
        lambda f: header(f, lambda h: h | {FIRST: h[FIRST] | {"shape": [2**40, 2**40]}}), ""),
    "settings of a huge model": (lambda f: sizes(f, d_model=10**9), "d_model = 1000000000"),
    "settings of many layers": (lambda f: sizes(f, num_layers=10**9), "num_layers"),
    "settings of another model": (lambda f: sizes(f, d_ff=13), "feed_forward.w_1"),
    "settings nested deeply": (lambda f: (f / SETTINGS).write_text("[" * 30_000), SETTINGS),
    "another vocabulary": (lambda f: Subwords([]).save(f / VOCABULARY), "of one run"),
    "a vocabulary nested deeply": (lambda f: (f / VOCABULARY).write_text('{"a":' * 90_000), ""),
    "a vocabulary of numbers": (lambda f: (f / VOCABULARY).write_text('{"merges": [1]}'), ""),
    "merges of nothing": (
        lambda f: (f / VOCABULARY).write_text('{"merges": ["qq zz"]}'), "not a token yet"),
    "a vocabulary that is no text": (
        lambda f: (f / VOCABULARY).write_bytes(b"\xff\xfe\x00"), VOCABULARY),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_refused_with_a_reason(folder, what):
    spoil, said = BROKEN[what]
    spoil(folder)
    with pytest.raises(REFUSED, match=said or None):
        load(transformer, folder, 5)


def test_a_model_with_too_few_positions_is_refused(tmp_path, capsys):
    subwords = Subwords([])
    model = transformer.make_model(
        len(subwords), len(subwords), positions="learned", max_len=6, **SIZES
    )
    hand_in(Translator(model, subwords), tmp_path)
    with pytest.raises(BadHandIn, match="6 positions"):
        translate(transformer, load(transformer, tmp_path, 5), ["Ein Mann liest ein Buch."], {})
