import pytest
import torch
from torch.nn import functional as F

from transformer import scaled_dot_product_attention


def draw(*batch, t_q=4, t_k=6, d_k=5, d_v=3, dtype=torch.float64):
    generator = torch.Generator().manual_seed(0)
    shapes = (t_q, d_k), (t_k, d_k), (t_k, d_v)
    return [torch.randn(*batch, *s, generator=generator, dtype=dtype) for s in shapes]


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_equals_torch_without_mask(batch):
    query, key, value = draw(*batch)
    output, weights = scaled_dot_product_attention(query, key, value)
    torch.testing.assert_close(output, F.scaled_dot_product_attention(query, key, value))
    torch.testing.assert_close(weights @ value, output)
    torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))


@pytest.mark.parametrize("shape", [(4, 6), (2, 1, 1, 6), (2, 3, 4, 6)])
def test_equals_torch_with_mask_in_outputs_and_gradients(shape):
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(1)) < 0.6
    mask[..., 0] = True
    results = []
    for attend in (scaled_dot_product_attention, F.scaled_dot_product_attention):
        inputs = [x.requires_grad_() for x in draw(2, 3)]
        output = attend(*inputs, mask)
        output = output if torch.is_tensor(output) else output[0]
        output.square().sum().backward()
        results.append([output, *(x.grad for x in inputs)])
    torch.testing.assert_close(*results)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_mask_hides_keys_exactly(dtype):
    query, key, value = draw(2, 3, dtype=dtype)
    mask = torch.tensor([True, False, True, True, False, True])
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    assert output.dtype == weights.dtype == dtype
    assert (weights[..., ~mask] == 0).all()
    assert (weights[..., mask] > 0).all()
    value[..., ~mask, :] += 100
    key[..., ~mask, :] *= -3
    assert torch.equal(scaled_dot_product_attention(query, key, value, mask)[0], output)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
def test_row_that_sees_no_key_stays_finite(dtype):
    inputs = [x.requires_grad_() for x in draw(2, 3, dtype=dtype)]
    mask = torch.ones(4, 6, dtype=torch.bool)
    mask[1] = False
    output, weights = scaled_dot_product_attention(*inputs, mask)
    output.sum().backward()
    assert output.isfinite().all() and weights.isfinite().all()
    assert all(x.grad.isfinite().all() for x in inputs)
    assert (inputs[0].grad[..., 1, :] == 0).all()


def test_dropout_acts_on_the_weights_that_multiply_value():
    query, key, value = draw(2)
    _, weights = scaled_dot_product_attention(query, key, value)
    output, _ = scaled_dot_product_attention(query, key, value, dropout=lambda w: w.sqrt())
    torch.testing.assert_close(output, weights.sqrt() @ value)
