import pytest
import torch

from transformer import Decoder, Encoder, padding_mask, target_mask

SIZES = {"d_model": 12, "num_heads": 3, "d_ff": 20}
SRC = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
TGT = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]])


def draw(ids, seed):
    generator = torch.Generator().manual_seed(seed)
    shape = (*ids.shape, SIZES["d_model"])
    return torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()


@pytest.mark.parametrize("norm_first", [False, True], ids=["post-norm", "pre-norm"])
def test_masks_of_none_hide_nothing(norm_first, counterpart):
    encoder = Encoder(2, **SIZES, dropout=0.0, norm_first=norm_first).double()
    decoder = Decoder(2, **SIZES, dropout=0.0, norm_first=norm_first).double()
    their_encoder, their_decoder = counterpart(encoder), counterpart(decoder)
    x, memory = draw(TGT, 1), draw(SRC, 2)
    torch.testing.assert_close(encoder(memory), their_encoder(memory))
    torch.testing.assert_close(decoder(x, memory), their_decoder(x, memory))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_works_in_half_precision(dtype):
    encoder, decoder = Encoder(1, **SIZES).eval(), Decoder(1, **SIZES).eval()
    x, memory = draw(TGT, 1).float(), draw(SRC, 2).float()
    masks = padding_mask(SRC, 0), target_mask(TGT, 0)
    expected = decoder(x, encoder(memory, masks[0]), *masks)
    encoder, decoder = encoder.to(dtype), decoder.to(dtype)
    output = decoder(x.to(dtype), encoder(memory.to(dtype), masks[0]), *masks)
    assert output.dtype == dtype
    torch.testing.assert_close(output.float(), expected, atol=0.1, rtol=0.1)
