"""A module of ours and its counterpart in torch.nn: one set of weights, the same numbers."""

import pytest
import torch
from torch import nn

import transformer
import transformer_workbook as wb
from transformer_workbook.lessons.encoder_and_decoder.standins import DecoderLayer, Encoder


class CrossAttentionFirst(transformer.DecoderLayer):
    """Creates its parts in another order than it uses them, and calls `forward` of one itself."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        nn.Module.__init__(self)
        self.network = transformer.PositionwiseFeedForward(d_model, d_ff, dropout)
        self.cross_attn = transformer.MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = transformer.MultiHeadAttention(d_model, num_heads, dropout)
        self.last, self.middle, self.first = (
            transformer.SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.first(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.middle(x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.last(x, self.network.forward)


class TorchsNorms(CrossAttentionFirst):
    """Has the norms of torch, whose vectors have other names."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for connection in (self.first, self.middle, self.last):
            connection.norm = nn.LayerNorm(len(connection.norm.gamma), eps=1e-6)


class NetworkInSequence(CrossAttentionFirst):
    """Has its network as a plain sequence, as the check of lesson 07 allows."""

    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.network = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class NetworkWithASequence(CrossAttentionFirst):
    """Has its network's parts in a sequence, too, under names of their own as well."""

    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        self.network.all = nn.Sequential(self.network.w_1, nn.ReLU(), self.network.w_2)


@pytest.mark.parametrize(
    "layer",
    [DecoderLayer, CrossAttentionFirst, TorchsNorms, NetworkInSequence, NetworkWithASequence],
)
def test_a_decoder_layer_equals_torchs(layer):
    ours = layer(12, 3, 20).eval()
    for parameter in ours.parameters():  # norms differ, too
        nn.init.normal_(parameter)
    theirs = nn.TransformerDecoderLayer(12, 3, 20, layer_norm_eps=1e-6, batch_first=True).eval()
    wb.copy_weights(ours, theirs)
    target, memory = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
    torch.testing.assert_close(ours(target, memory), theirs(target, memory), atol=1e-4, rtol=1e-4)


def test_a_whole_model_of_ids_is_run_with_ids():
    ours = transformer.make_model(5, 5, d_model=12, num_heads=4, d_ff=20, num_layers=2)
    theirs = nn.Transformer(12, 4, 2, 2, 20, batch_first=True)
    theirs.encoder.norm = theirs.decoder.norm = None
    wb.copy_weights(ours, theirs)
    last = ours.decoder.layers[1].cross_attn.w_o.weight
    assert torch.equal(theirs.decoder.layers[1].multihead_attn.out_proj.weight, last)


def test_unequal_numbers_of_parts_are_named():
    layer = nn.TransformerEncoderLayer(12, 3, 20, batch_first=True)
    theirs = nn.TransformerEncoder(layer, 2, nn.LayerNorm(12), enable_nested_tensor=False)
    with pytest.raises(ValueError, match="4 norms, torch's counterpart 5"):
        wb.copy_weights(Encoder(2, 12, 3, 20), theirs)
