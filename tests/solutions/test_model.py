import copy
import math

import pytest
import torch
from torch import nn

from transformer import (
    LearnedPositionalEmbedding,
    Transformer,
    causal_mask,
    make_model,
    sinusoidal_encoding,
)

SIZES = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20}
SRC = torch.tensor([[3, 4, 5, 6, 7], [8, 9, 3, 0, 0]])
TGT = torch.tensor([[1, 5, 2, 0], [1, 6, 7, 2]])


def tiny(**options):
    return make_model(11, 13, **SIZES, **{"dropout": 0.0} | options)


@pytest.mark.parametrize("norm_first", [False, True], ids=["post-norm", "pre-norm"])
def test_equals_torch(norm_first, counterpart, assert_same_gradients):
    ours = tiny(norm_first=norm_first).double()
    theirs = nn.Transformer(
        12, 3, custom_encoder=nn.Identity(), custom_decoder=nn.Identity(), batch_first=True
    )
    theirs.encoder, theirs.decoder = counterpart(ours.encoder), counterpart(ours.decoder)
    embeds = ours.src_embed, ours.tgt_embed
    embeddings = [copy.deepcopy(embed[0].embedding) for embed in embeds]
    proj = copy.deepcopy(ours.generator.proj)

    def embedded(embedding, ids):
        positions = sinusoidal_encoding(ids.size(1), 12).double()
        return embedding(ids) * math.sqrt(12) + positions

    decoded = theirs(
        embedded(embeddings[0], SRC),
        embedded(embeddings[1], TGT),
        tgt_mask=~causal_mask(TGT.size(1))[0, 0],
        src_key_padding_mask=SRC == 0,
        tgt_key_padding_mask=TGT == 0,
        memory_key_padding_mask=SRC == 0,
    )
    expected = proj(decoded).log_softmax(-1)
    output = ours(SRC, TGT)
    torch.testing.assert_close(output, expected)

    output.pow(2).sum().backward()
    expected.pow(2).sum().backward()
    assert_same_gradients(ours.encoder, theirs.encoder)
    assert_same_gradients(ours.decoder, theirs.decoder)
    torch.testing.assert_close(ours.generator.proj.weight.grad, proj.weight.grad)
    for embed, embedding in zip(embeds, embeddings, strict=True):
        torch.testing.assert_close(embed[0].embedding.weight.grad, embedding.weight.grad)


def test_padding_learns_nothing_in_either_language():
    model = tiny(pad_id=2)
    assert model.pad_id == 2
    model(torch.tensor([[3, 4, 2]]), torch.tensor([[1, 5, 2]])).pow(2).sum().backward()
    for embed in (model.src_embed, model.tgt_embed):
        assert (embed[0].embedding.weight.grad[2] == 0).all()


def test_a_source_of_padding_alone_stays_finite():
    model = tiny()
    output = model(torch.zeros_like(SRC), TGT)
    output.sum().backward()
    assert output.isfinite().all()
    assert all(p.grad.isfinite().all() for p in model.parameters())


def test_base_size_has_the_parameters_of_the_paper():
    # One attention:  4 matrices of 512 x 512, each with 512 biases    = 1,050,624
    # One feed-forward network: 512 x 2048 + 2048 + 2048 x 512 + 512   = 2,099,712
    # One norm: gamma and beta of 512                                  =     1,024
    # Encoder: 6 layers of one attention, one network, two norms       = 18,914,304
    # Decoder: 6 layers of two attentions, one network, three norms    = 25,224,192
    # One matrix for both embeddings and the projection, 37,000 x 512  = 18,944,000
    # The biases of the projection                                     =     37,000
    # Together 63 million; the paper says 65, its vocabulary being about 37,000.
    with torch.device("meta"):
        model = Transformer(37_000, 37_000, tie_weights=True)
    assert sum(p.numel() for p in model.encoder.parameters()) == 18_914_304
    assert sum(p.numel() for p in model.decoder.parameters()) == 25_224_192
    assert sum(p.numel() for p in model.parameters()) == 63_119_496


def test_tied_weights_are_one_tensor():
    model = make_model(11, 11, **SIZES, tie_weights=True)
    weight = model.src_embed[0].embedding.weight
    assert model.tgt_embed[0].embedding.weight is weight
    assert model.generator.proj.weight is weight
    model(SRC, TGT).sum().backward()
    before = weight.clone()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    assert not torch.equal(model.generator.proj.weight, before)
    assert copy.deepcopy(model).generator.proj.weight.shape == (11, 12)


def test_vocabularies_of_different_sizes_cannot_be_tied():
    with pytest.raises(ValueError, match="src_vocab=11 and tgt_vocab=13"):
        Transformer(11, 13, **SIZES, tie_weights=True)


def test_positions_are_sinusoidal_or_learned():
    learned = tiny(positions="learned", max_len=9)
    assert isinstance(learned.src_embed[1], LearnedPositionalEmbedding)
    assert isinstance(learned.tgt_embed[1], LearnedPositionalEmbedding)
    assert learned.src_embed[1] is not learned.tgt_embed[1]
    assert learned(SRC, TGT).shape == (2, 4, 13)
    with pytest.raises(ValueError, match="rotary"):
        tiny(positions="rotary")


def test_max_len_reaches_the_positions():
    with pytest.raises(ValueError, match="max_len=4"):
        tiny(max_len=4)(SRC, TGT)


@pytest.mark.parametrize("tied", [False, True])
def test_embeddings_are_normal_and_every_other_matrix_is_xavier_uniform(tied):
    torch.manual_seed(0)
    model = make_model(190, 190, d_model=60, num_heads=3, num_layers=1, d_ff=70, tie_weights=tied)
    for name, parameter in model.named_parameters():
        if "embedding" in name:
            assert parameter.std().item() == pytest.approx(60**-0.5, rel=0.05), name
        elif parameter.dim() > 1:
            bound = math.sqrt(6 / sum(parameter.shape))
            assert 0.98 * bound < parameter.abs().max() <= bound, name
            assert parameter.std().item() == pytest.approx(bound / math.sqrt(3), rel=0.05), name
