"""How the components of lesson 15 are called. Parameters get known values."""

import torch

from transformer_workbook.lessons.cached_decoding.standins import KeyValueCache
from transformer_workbook.shared.probing import (
    TWO_DEVICES,
    fill_parameters,
    gradients,
    where_it_runs,
)
from transformer_workbook.shared.words import Wording, count_of, wording

OF_LAYERS = {
    "numbers that learn": Wording(
        "the count of numbers that learn",
        "The parameters hold {actual} numbers; expected {expected}.",
    ),
    "weights without an effect": count_of(
        "1 parameter has no effect on the output.",
        "{actual} parameters have no effect on the output.",
    ),
}
OF_PIECES = {
    "outputs": "the outputs of all pieces",
    "of the whole": "the output for the whole text, without a cache, after its pieces,",
    "numbers kept": Wording(
        "the count of numbers kept",
        "The cache holds {actual} numbers for each token; expected {expected}.",
    ),
}


@wording({"turned": "the result", "turned again": "the result of a second call"})
def turn(apply_rotary, x, then, **options):
    """The result for x, and for x once more at other positions or with another base."""
    x.requires_grad_()
    turned = apply_rotary(x, **options)
    slopes = gradients(turned, {"x": x})
    return {"turned": turned, "turned again": apply_rotary(x, **{**options, **then}), **slopes}


@wording(
    {
        "turned": "the result",
        "dtype": Wording(
            "the dtype of the result", "The input `x` is in bfloat16, but the result in {actual}."
        ),
    }
)
def turn_in_16_bits(apply_rotary, x, **options):
    turned = apply_rotary(x.bfloat16(), **options)
    return {"turned": turned.float(), "dtype": str(turned.dtype).removeprefix("torch.")}


@wording(
    {
        "device": Wording(
            "the device of the result",
            "The input `x` is on the device {expected}, but the result is on {actual}.",
            {
                TWO_DEVICES: "The input `x` was on another device, and something was made on the "
                "CPU. Make it on the device of `x`."
            },
        )
    }
)
def turn_there(apply_rotary, x):
    """With x on another device than new tensors are."""
    there = x.to("meta")
    return {"device": where_it_runs(lambda: apply_rotary(there).device.type)}


@wording(OF_LAYERS)
def attend(component, num_heads, num_kv_heads, x, mask=None, d_ff=None, **later):
    """The output for x, what it depends on, and how many numbers the layer learns."""
    layer = _layer(component, x, num_heads, num_kv_heads, d_ff).to(x.dtype)
    output = layer(x.requires_grad_(), mask, **later)
    weights = dict(layer.named_parameters())
    reached = gradients(output, weights).values()
    return {
        "output": output,
        **gradients(output, {"x": x}),
        "numbers that learn": sum(weight.numel() for weight in weights.values()),
        "weights without an effect": sum(grad is None or not grad.any() for grad in reached),
    }


@wording(OF_PIECES)
def attend_in_pieces(component, num_heads, num_kv_heads, x, lengths, d_ff=None):
    """The same text, read piece by piece with a cache, and then at once."""
    layer = _layer(component, x, num_heads, num_kv_heads, d_ff)
    cache, outputs, start = _Counting(x.size(1)), [], 0
    for piece in x.split(lengths, dim=1):
        end = start + piece.size(1)
        seen = torch.arange(end) <= torch.arange(start, end).unsqueeze(1)
        mask = None if seen.all() else seen.view(1, 1, *seen.shape)
        with torch.no_grad():
            outputs.append(layer(piece, mask, start, cache))
        start = end
    with torch.no_grad():
        of_the_whole = layer(x)
    tensors = all(isinstance(output, torch.Tensor) for output in outputs)
    return {
        "outputs": torch.cat(outputs, dim=1) if tensors else outputs[0],
        "of the whole": of_the_whole,
        "numbers kept": cache.numbers / (x.size(0) * x.size(1)),
    }


def _layer(component, x, *sizes):
    """An attention, or with a size d_ff a whole layer, of known weights."""
    return fill_parameters(component(x.size(-1), *(size for size in sizes if size is not None)))


class _Counting(KeyValueCache):
    """A cache that counts the numbers in what it is given."""

    numbers = 0

    def append(self, keys, values):
        self.numbers += keys.numel() + values.numel()
        return super().append(keys, values)
