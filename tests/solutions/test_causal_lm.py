"""The language model is torch's encoder with a causal mask, and its cache changes nothing."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

import transformer

V, D = 11, 12


@pytest.fixture
def model():
    torch.manual_seed(0)
    model = transformer.CausalLM(V, D, num_heads=3, d_ff=20, num_layers=2, dropout=0.3)
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


@pytest.mark.parametrize("options", [{"temperature": 0}, {"top_k": 4}, {"temperature": 1.3}])
def test_the_cache_changes_nothing(model, options):
    ids = draw_ids(5, 4)
    written = transformer.generate(
        model.train(), ids, 6, **options, generator=torch.Generator().manual_seed(2)
    )
    assert model.training
    model.eval()
    generator, expected = torch.Generator().manual_seed(2), ids
    with torch.no_grad():
        for _ in range(6):
            shares = transformer.next_token_probabilities(model(expected)[:, -1], **options)
            token = torch.multinomial(shares, 1, generator=generator)
            expected = torch.cat([expected, token], dim=1)
    assert torch.equal(written, expected)


def test_after_an_error_too_the_model_is_as_it_was(model):
    parts = list(model.train().modules())
    with pytest.raises(IndexError):
        transformer.generate(model, torch.full((2, 3), V), 4)  # the vocabulary ends at V - 1
    assert list(model.modules()) == parts
    assert all(part.training for part in parts)


def test_rotated_scores_depend_on_the_distance_alone():
    query, key = torch.randn(2, 6, dtype=torch.float64)
    scores = transformer.apply_rotary(query.expand(7, 6)) @ (
        transformer.apply_rotary(key.expand(7, 6)).T
    )
    torch.testing.assert_close(scores[:-1, :-1], scores[1:, 1:])
    torch.testing.assert_close(
        transformer.apply_rotary(query.expand(7, 6)).norm(dim=-1), query.norm().expand(7)
    )


def test_a_piece_is_rotated_as_in_the_whole():
    x = torch.randn(2, 7, 6, dtype=torch.float64)
    later = transformer.apply_rotary(x[:, 3:], start=3)
    torch.testing.assert_close(later, transformer.apply_rotary(x)[:, 3:])


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
        columns.append((mask.size(-1), key.size(2), mask.is_contiguous()))
        return real(query, key, value, mask, *others)

    monkeypatch.setattr(F, "scaled_dot_product_attention", attend)
    transformer.generate(model, draw_ids(2, 3), 3)
    assert len(columns) == 3 * 2  # the model has two layers
    assert all(own == keys and dense for own, keys, dense in columns)
