"""A module of ours and its counterpart in torch.nn: one set of weights, the same numbers."""

import pytest
import torch
from torch import nn

import transformer_workbook as wb
from transformer_workbook.standins.encoder_and_decoder import DecoderLayer, Encoder


def test_a_decoder_layer_equals_torchs():
    ours = DecoderLayer(12, 3, 20).eval()
    theirs = nn.TransformerDecoderLayer(12, 3, 20, layer_norm_eps=1e-6, batch_first=True).eval()
    wb.copy_weights(ours, theirs)
    target, memory = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
    torch.testing.assert_close(ours(target, memory), theirs(target, memory))


def test_unequal_numbers_of_parts_are_named():
    layer = nn.TransformerEncoderLayer(12, 3, 20, batch_first=True)
    theirs = nn.TransformerEncoder(layer, 2, nn.LayerNorm(12), enable_nested_tensor=False)
    with pytest.raises(ValueError, match="4 norms, torch's counterpart 5"):
        wb.copy_weights(Encoder(2, 12, 3, 20), theirs)
