"""GPT-2's weights in the student's own classes: the results of an independent GPT-2."""

import hashlib
import math

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import transformer
from transformer_workbook.lessons.add_and_norm import standins as add_and_norm
from transformer_workbook.lessons.decoder_only import standins as decoder_only
from transformer_workbook.lessons.embeddings_and_positions import (
    standins as embeddings_and_positions,
)
from transformer_workbook.lessons.from_gpt_to_llama import gpt2

V, D, HEADS, LAYERS, PLACES = 300, 24, 3, 2, 40
REFERENCE = (
    transformer.CausalLM,
    transformer.LearnedPositionalEmbedding,
    transformer.LayerNorm,
    transformer.generate,
)
STAND_INS = (
    decoder_only.CausalLM,
    embeddings_and_positions.LearnedPositionalEmbedding,
    add_and_norm.LayerNorm,
    decoder_only.generate,
)


def published() -> dict[str, torch.Tensor]:
    """Random weights with the names and the layout of the published file."""
    generator = torch.Generator().manual_seed(0)
    shapes = {
        "wte.weight": (V, D),
        "wpe.weight": (PLACES, D),
        "ln_f.weight": (D,),
        "ln_f.bias": (D,),
    }
    for layer in range(LAYERS):
        of_layer = {
            "ln_1.weight": (D,), "ln_1.bias": (D,), "ln_2.weight": (D,), "ln_2.bias": (D,),
            "attn.bias": (1, 1, PLACES, PLACES),  # the causal mask, no weight
            "attn.c_attn.weight": (D, 3 * D), "attn.c_attn.bias": (3 * D,),
            "attn.c_proj.weight": (D, D), "attn.c_proj.bias": (D,),
            "mlp.c_fc.weight": (D, 4 * D), "mlp.c_fc.bias": (4 * D,),
            "mlp.c_proj.weight": (4 * D, D), "mlp.c_proj.bias": (D,),
        }  # fmt: skip
        shapes |= {f"h.{layer}.{name}": shape for name, shape in of_layer.items()}
    return {name: 0.4 * torch.randn(shape, generator=generator) for name, shape in shapes.items()}


def logits_of(tensors, ids):
    """GPT-2 as its paper and its published code have it, with nothing of this course; (T, V)."""

    def normalized(x, name):
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)
        return (
            centred / (variance + 1e-5).sqrt() * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]
        )

    def through(x, name):
        return x @ tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

    length = len(ids)
    x = tensors["wte.weight"][ids] + tensors["wpe.weight"][:length]
    for layer in range(LAYERS):
        y = through(normalized(x, f"h.{layer}.ln_1"), f"h.{layer}.attn.c_attn")
        heads = []
        for head in range(HEADS):
            query, key, value = (
                y[:, part * D + head * D // HEADS : part * D + (head + 1) * D // HEADS]
                for part in range(3)
            )
            scores = query @ key.T / math.sqrt(D // HEADS)
            scores[torch.ones(length, length).triu(1).bool()] = -math.inf
            heads.append(scores.softmax(-1) @ value)
        x = x + through(torch.cat(heads, -1), f"h.{layer}.attn.c_proj")
        z = through(normalized(x, f"h.{layer}.ln_2"), f"h.{layer}.mlp.c_fc")
        z = 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
        x = x + through(z, f"h.{layer}.mlp.c_proj")
    return normalized(x, "ln_f") @ tensors["wte.weight"].T


@pytest.mark.parametrize("classes", [REFERENCE, STAND_INS], ids=["reference", "stand-ins"])
def test_greedy_text_is_that_of_an_independent_gpt_2(classes):
    *parts, generate = classes
    tensors = published()
    model = gpt2.model_of(tensors, *parts, num_heads=HEADS)
    ids = torch.tensor([[0, 5, 7, 0]])  # 0 is a token as any other, not padding
    with torch.no_grad():
        torch.testing.assert_close(model(ids)[0], logits_of(tensors, ids[0]), atol=1e-4, rtol=1e-4)
    expected = ids[0]
    for _ in range(20):
        token = logits_of(tensors, expected)[-1].argmax()
        expected = torch.cat([expected, token[None]])
    assert generate(model, ids, 20, temperature=0)[0].tolist() == expected.tolist()


def test_parts_are_found_by_their_use_not_by_their_creation():
    class Layer(transformer.layers.EncoderLayer):
        def __init__(self, *sizes):
            super().__init__(*sizes)
            self.sublayers = torch.nn.ModuleList(reversed(self.sublayers))

        def forward(self, x, mask=None):
            x = self.sublayers[1](x, lambda y: self.self_attn(y, y, y, mask))
            return self.sublayers[0](x, self.feed_forward)

    def causal_lm(*args, **sizes):
        model = transformer.CausalLM(*args, **sizes)
        layer = (D, HEADS, 4 * D, 0.0, True)
        model.encoder.layers = torch.nn.ModuleList(Layer(*layer) for _ in range(LAYERS))
        return model

    tensors, ids = published(), torch.tensor([[3, 5, 7]])
    model = gpt2.model_of(tensors, causal_lm, *REFERENCE[1:3], num_heads=HEADS)
    with torch.no_grad():
        torch.testing.assert_close(model(ids)[0], logits_of(tensors, ids[0]), atol=1e-4, rtol=1e-4)


def test_a_model_without_its_last_norm_is_refused():
    def causal_lm(*args, **sizes):
        model = transformer.CausalLM(*args, **sizes)
        model.encoder.norm = torch.nn.Identity()
        return model

    with pytest.raises(ValueError, match=r"uses 5 parts with a gamma, but your CausalLM uses 4"):
        gpt2.model_of(published(), causal_lm, *REFERENCE[1:3], num_heads=HEADS)


@pytest.fixture
def address(tmp_path, monkeypatch):
    """A folder as the public address, with small files of the same layout."""
    folder = tmp_path / "public"
    folder.mkdir()
    save_file(published(), folder / "model.safetensors")
    spelled = Tokenizer(models.BPE())
    spelled.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=V, initial_alphabet=alphabet, show_progress=False)
    spelled.train_from_iterator(["the dog was found in a field near the dog"], trainer)
    spelled.model.save(str(folder))
    digests = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in gpt2.CHECKSUMS
    }
    monkeypatch.setattr(gpt2, "ADDRESS", folder.as_uri())
    monkeypatch.setattr(gpt2, "CHECKSUMS", digests)
    monkeypatch.setattr(gpt2, "_HEAD", D // HEADS)
    return folder


def test_files_are_fetched_once_and_checked(address, tmp_path):
    model, subwords = gpt2.load(*REFERENCE[:3], folder=tmp_path / "gpt2")
    ids = subwords.encode("the dog, near").ids
    assert subwords.decode(ids) == "the dog, near"
    assert model(torch.tensor([ids])).shape == (1, len(ids), V)
    (address / "merges.txt").unlink()
    gpt2.load(*REFERENCE[:3], folder=tmp_path / "gpt2")
    (tmp_path / "gpt2/vocab.json").write_text("{}")
    with pytest.raises(gpt2.NoWeights, match="damaged"):
        gpt2.load(*REFERENCE[:3], folder=tmp_path / "gpt2")


def test_what_cannot_be_fetched_or_is_another_file_gets_a_sentence(address, tmp_path):
    (address / "vocab.json").write_text("{}")
    with pytest.raises(gpt2.NoWeights, match="could not be fetched.*invalid hash value"):
        gpt2.load(*REFERENCE[:3], folder=tmp_path / "gpt2")
    (address / "vocab.json").unlink()
    with pytest.raises(gpt2.NoWeights, match="could not be fetched"):
        gpt2.load(*REFERENCE[:3], folder=tmp_path / "gpt2")
