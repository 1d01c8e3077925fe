import math

import pytest
import torch

from transformer import (
    LearnedPositionalEmbedding,
    PositionalEncoding,
    TokenEmbedding,
    sinusoidal_encoding,
)


def test_tokens_are_looked_up_and_scaled():
    embed = TokenEmbedding(10, 6)
    ids = torch.tensor([[1, 9, 1], [3, 0, 0]])
    torch.testing.assert_close(embed(ids), embed.embedding.weight[ids] * math.sqrt(6))
    assert embed(ids).shape == (2, 3, 6)


def test_padding_learns_nothing():
    embed = TokenEmbedding(10, 6, pad_id=3)
    embed(torch.tensor([[1, 3, 3]])).sum().backward()
    learned = embed.embedding.weight.grad.abs().sum(dim=1)
    assert (learned > 0).nonzero().tolist() == [[1]]


@pytest.mark.parametrize("length, d_model", [(7, 6), (7, 5), (1, 1), (3, 2), (0, 4), (4000, 16)])
def test_sinusoids_equal_the_formula(length, d_model):
    expected = torch.empty(length, d_model, dtype=torch.float64)
    for position in range(length):
        for feature in range(d_model):
            angle = position / 10000 ** (2 * (feature // 2) / d_model)
            expected[position, feature] = math.cos(angle) if feature % 2 else math.sin(angle)
    encoding = sinusoidal_encoding(length, d_model)
    assert encoding.dtype == torch.float32
    torch.testing.assert_close(encoding.double(), expected, rtol=0, atol=1e-7)


def test_sinusoids_follow_the_default_dtype():
    torch.set_default_dtype(torch.float64)
    try:
        encoding = sinusoidal_encoding(3000, 4)
    finally:
        torch.set_default_dtype(torch.float32)
    assert encoding.dtype == torch.float64
    assert encoding[2999, 0].item() == pytest.approx(math.sin(2999), abs=1e-12)


def test_each_position_gets_its_own_sinusoids_in_every_sentence():
    x = torch.randn(3, 5, 6)
    encode = PositionalEncoding(6, dropout=0.0, max_len=8)
    torch.testing.assert_close(encode(x), x + sinusoidal_encoding(5, 6))


def test_sinusoids_are_no_parameters():
    encode = PositionalEncoding(6)
    assert list(encode.parameters()) == []
    assert encode.state_dict() == {}  # a checkpoint fits a model of another max_len
    assert [buffer.shape for buffer in encode.buffers()] == [(5000, 6)]
    assert encode.half()(torch.zeros(1, 2, 6, dtype=torch.half)).dtype == torch.half


@pytest.mark.parametrize("kind", [PositionalEncoding, LearnedPositionalEmbedding])
def test_too_long_a_sentence_is_refused(kind):
    encode = kind(6, max_len=4)
    assert encode(torch.zeros(2, 4, 6)).shape == (2, 4, 6)
    for length, start in ((5, 0), (2, 3)):
        with pytest.raises(ValueError, match=r"5 positions.*max_len=4"):
            encode(torch.zeros(2, length, 6), start)


def test_learned_positions_are_added_and_learn():
    x = torch.randn(3, 5, 6)
    encode = LearnedPositionalEmbedding(6, dropout=0.0, max_len=8)
    torch.testing.assert_close(encode(x), x + encode.embedding.weight[:5])
    encode(x).sum().backward()
    torch.testing.assert_close(encode.embedding.weight.grad[:5], torch.full((5, 6), 3.0))
    assert (encode.embedding.weight.grad[5:] == 0).all()
