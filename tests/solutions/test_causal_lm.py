"""The language model is torch's encoder with a causal mask, and its cache changes nothing."""

import ast
import math
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn import functional as F

import transformer

ROOT = Path(__file__).parents[2]
V, D = 11, 16


@pytest.fixture
def model():
    torch.manual_seed(0)
    model = transformer.CausalLM(V, D, num_heads=4, d_ff=20, num_layers=2, dropout=0.3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model.double().eval()


def draw_ids(*shape):
    return torch.randint(1, V, shape, generator=torch.Generator().manual_seed(1))


def test_it_is_torchs_encoder_with_a_causal_mask(model, counterpart):
    ids, twin = draw_ids(4, 9), counterpart(model.encoder)
    mask = nn.Transformer.generate_square_subsequent_mask(9, dtype=torch.float64)
    with torch.no_grad():
        hidden = twin(model.positions(model.embed(ids)), mask=mask)
        expected = hidden @ model.embed.embedding.weight.T
        torch.testing.assert_close(model(ids), expected)


def test_the_loss_is_that_of_each_next_token(model):
    ids = draw_ids(3, 6)
    ids[0, 4:] = 0
    log_probs = model(ids).log_softmax(dim=-1)
    terms = [
        -log_probs[row, place, ids[row, place + 1]]
        for row in range(3)
        for place in range(5)
        if ids[row, place + 1] != 0
    ]
    loss = transformer.next_token_loss(model(ids), ids)
    torch.testing.assert_close(loss, torch.stack(terms).mean())


def llama(_model):
    """The Llama of lesson 15, with grouped queries."""
    tree = ast.parse((ROOT / "autograder/lessons/15-from-gpt-to-llama/lesson.py").read_text())
    parts = ("Llama", "initialize")
    tree.body = [node for node in tree.body if getattr(node, "name", "") in parts]
    names = {
        "nn": nn,
        "math": math,
        "causal_mask": transformer.causal_mask,
        "Layer": transformer.LlamaLayer,
    }
    exec(compile(tree, "lesson 15", "exec"), names)
    return names["Llama"](V, D, 4, 2, 2, 20).double()


def post_norm(model):
    model.encoder = transformer.Encoder(2, D, 4, 20, 0.3).double()
    return model


def with_learned_positions(model):
    model.positions = transformer.LearnedPositionalEmbedding(D, 0.3, max_len=20).double()
    return model


KINDS = {
    "as built": lambda model: model,
    "post-norm": post_norm,
    "learned positions": with_learned_positions,
    "Llama": llama,
    "fused": transformer.fuse,
}


@pytest.mark.parametrize("options", [{"temperature": 0}, {"top_k": 4}, {"temperature": 1.3}])
@pytest.mark.parametrize("kind", KINDS)
def test_the_cache_changes_nothing(model, kind, options):
    model, ids = KINDS[kind](model), draw_ids(5, 4)
    written = transformer.generate(
        model.train(), ids, 6, **options, generator=torch.Generator().manual_seed(2)
    )
    assert all(part.training for part in model.modules())
    model.eval()
    generator, expected = torch.Generator().manual_seed(2), ids
    with torch.no_grad():
        for _ in range(6):
            shares = transformer.next_token_probabilities(model(expected)[:, -1], **options)
            token = torch.multinomial(shares, 1, generator=generator)
            expected = torch.cat([expected, token], dim=1)
    assert torch.equal(written, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_read_in_pieces_has_the_logits_of_the_whole(model, kind):
    model, ids = KINDS[kind](model).eval(), draw_ids(3, 7)
    caches = [transformer.KeyValueCache(7) for _ in model.encoder.layers]
    pieces = ((0, 3), (3, 4), (4, 7))
    with torch.no_grad():
        logits = [model.read_on(ids[:, start:end], start, caches) for start, end in pieces]
        torch.testing.assert_close(torch.stack(logits, 1), model(ids)[:, [2, 3, 6]])


def test_after_an_error_the_model_is_in_its_mode_again(model):
    with pytest.raises(IndexError):
        transformer.generate(model.train(), torch.full((2, 3), V), 4)  # the last token is V - 1
    assert all(part.training for part in model.modules())


def test_logits_of_a_text_that_begins_later(model):
    """Its positions are those of the end of a longer text."""
    model.positions = transformer.LearnedPositionalEmbedding(D, dropout=0.0, max_len=9).double()
    ids = draw_ids(2, 4)
    later = model(ids, start=5)
    with torch.no_grad():
        model.positions.embedding.weight.copy_(model.positions.embedding.weight.roll(-5, dims=0))
    torch.testing.assert_close(model(ids), later)


def test_each_mask_of_a_cached_step_has_a_column_for_each_key(model, monkeypatch):
    """CUDA's kernel refuses a mask whose one column stands for all keys; a CPU's takes it."""
    real, columns = F.scaled_dot_product_attention, []

    def attend(query, key, value, mask=None, *others):
        columns.append((mask.size(-1), key.size(2)))
        return real(query, key, value, mask, *others)

    monkeypatch.setattr(F, "scaled_dot_product_attention", attend)
    transformer.generate(model, draw_ids(2, 3), 3)
    assert len(columns) == 3 * 2  # the model has two layers
    assert all(own == keys for own, keys in columns)
