"""How the components of lesson 07 are called.

Names inside a layer are the student's choice, so every part gets its known weights in the order
in which the parts are called, and what the layers hold is counted, not looked up.
"""

import copy
from contextlib import contextmanager
from itertools import combinations

import torch
from torch import nn

from transformer_workbook.shared.probing import certain_dropout, filled_when_called, gradients
from transformer_workbook.shared.words import Wording, wording

COPIED = {
    "layer": "the result of a layer",
    "copy": Wording(
        "the result of a copy of the layer",
        "A copy of the layer changes with the layer's weights: it still uses the layer's own "
        "parts instead of copies of them.",
    ),
}
RELOADED = {
    "saved": "the result of a stack",
    "loaded": Wording(
        "the result of a stack that has loaded another stack's weights",
        "A stack that has loaded the state of another gives a different result: some weights are "
        "missing from the state.",
    ),
}
SIZE = {
    "number of parameters": Wording(
        "the size of the parameters",
        "The parameters hold {actual} numbers; expected {expected}.",
    )
}
IN_TURN = {
    "masked": "the result with all masks",
    "source masked": "the result with src_mask alone",
    "target masked": "the result with tgt_mask alone",
    "not masked": "the result without a mask",
}


def encode(component, x, mask=None, **sizes):
    """An encoder layer or stack in eval mode."""
    with _certain():
        return {"output": _resting(component, sizes, x)(x, mask)}


def encode_in_training(component, x, mask=None, **sizes):
    """The same in training, where dropout is active."""
    with _certain():
        return {"output": component(**sizes).train()(x=x, mask=mask)}


@wording(IN_TURN)
def encode_in_turn(component, x, mask, **sizes):
    """With a mask and then without one; all sizes are given in their order, without names."""
    with _certain():
        module = component(*sizes.values()).eval()
        return {"masked": module(x, mask), "not masked": module(x)}


def encode_backward(component, x, mask=None, **sizes):
    x.requires_grad_()
    with _certain():
        module = _resting(component, sizes, x)
        output = module(x, mask)
    return gradients(output, {"x": x}) | _unreached(module, output)


@wording(
    {
        "before": "the result at the real tokens",
        "after": Wording(
            "the result at the real tokens, after hidden ones were changed,",
            "Only hidden tokens were changed, yet the result at the real ones changed.",
        ),
    }
)
def encode_other_padding(component, x, changed, mask, real, **sizes):
    """What comes out at the real tokens, before and after hidden ones are changed."""
    with _certain():
        module = _resting(component, sizes, x)
        return {"before": module(x, mask)[real], "after": module(changed, mask)[real]}


@wording(
    {
        "result, reordered": "the result, put in a different order,",
        "result of reordered": Wording(
            "the result for tokens in a different order",
            "The same tokens in a different order get different results, though nothing here "
            "knows about order: no positions were added, and there is no mask.",
        ),
    }
)
def encode_other_order(component, x, order, **sizes):
    """The result for tokens in a different order, and the result put in that order."""
    with _certain():
        module = _resting(component, sizes, x)
        return {
            "result, reordered": module(x)[:, order],
            "result of reordered": module(x[:, order]),
        }


def decode(component, x, memory, src_mask=None, tgt_mask=None, **sizes):
    """A decoder layer or stack in eval mode."""
    with _certain():
        return {"output": _resting(component, sizes, x)(x, memory, src_mask, tgt_mask)}


def decode_in_training(component, x, memory, src_mask=None, tgt_mask=None, **sizes):
    masks = {"src_mask": src_mask, "tgt_mask": tgt_mask}
    with _certain():
        return {"output": component(**sizes).train()(x=x, memory=memory, **masks)}


@wording(IN_TURN)
def decode_in_turn(component, x, memory, src_mask, tgt_mask, **sizes):
    """With both masks, with one of them, and with none; the sizes are given in their order."""
    with _certain():
        module = component(*sizes.values()).eval()
        return {
            "masked": module(x, memory, src_mask, tgt_mask),
            "source masked": module(x, memory, src_mask),
            "target masked": module(x, memory, tgt_mask=tgt_mask),
            "not masked": module(x, memory),
        }


def decode_backward(component, x, memory, src_mask=None, tgt_mask=None, **sizes):
    x.requires_grad_()
    memory.requires_grad_()
    with _certain():
        module = _resting(component, sizes, x)
        output = module(x, memory, src_mask, tgt_mask)
    return gradients(output, {"x": x, "memory": memory}) | _unreached(module, output)


@wording(
    {
        "before": "the result at earlier positions",
        "after": Wording(
            "the result at earlier positions, after later ones were changed,",
            "Only later positions were changed, which the mask hides, yet the result at earlier "
            "ones changed.",
        ),
        "later, before": "the result at later positions",
        "later, after": Wording(
            "the result at later positions, after they were changed,",
            "Later positions were changed, yet the result at exactly these positions stayed the "
            "same.",
        ),
    }
)
def decode_other_future(component, x, memory, changed, first, tgt_mask, **sizes):
    """What comes out before position `first`, before and after later positions are changed."""
    with _certain():
        module = _resting(component, sizes, x)
        before = module(x, memory, None, tgt_mask)
        after = module(changed, memory, None, tgt_mask)
    return {
        "before": before[:, :first],
        "after": after[:, :first],
        "later, before": before[:, first:],
        "later, after": after[:, first:],
    }


@wording(
    {
        "before": "the result",
        "after": Wording(
            "the result after hidden positions of the memory were changed",
            "Only hidden positions of the memory were changed, yet the result changed.",
        ),
    }
)
def decode_other_padding(component, x, memory, changed, src_mask, **sizes):
    """The result before and after hidden positions of the memory are changed."""
    with _certain():
        module = _resting(component, sizes, x)
        return {"before": module(x, memory, src_mask), "after": module(x, changed, src_mask)}


@wording(COPIED)
def copied(component, x, memory=None, **sizes):
    """A copy of a layer, whose weights stay as they are when those of the layer change."""
    given = (x,) if memory is None else (x, memory)
    module = _resting(component, sizes, x)
    with _certain():
        output = module(*given)
    duplicate = copy.deepcopy(module)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.zero_()
    with certain_dropout():
        return {"layer": output, "copy": duplicate(*given)}


@wording(RELOADED)
def reloaded(component, x, memory=None, **sizes):
    """Two stacks with other weights; the second one loads the state of the first."""
    given = (x,) if memory is None else (x, memory)
    first, second = (_resting(component, sizes, x) for _ in range(2))
    with _certain(seed=1):
        saved = first(*given)
    with _certain(seed=2):
        second(*given)
        second.load_state_dict(first.state_dict())
        return {"saved": saved, "loaded": second(*given)}


@wording(SIZE)
def parts(component, **sizes):
    """What torch finds inside: the parameters, and dropouts that were not told their rate."""
    module = component(**sizes)
    dropouts = [part for part in module.modules() if isinstance(part, nn.Dropout)]
    return {
        "number of parameters": sum(parameter.numel() for parameter in module.parameters()),
        "dropouts with another rate": sum(part.p != sizes["dropout"] for part in dropouts),
    }


@wording(
    SIZE
    | {
        "average": "the average",
        "members alike": Wording(
            wrong="Members start with the very same weights, so they vote alike."
        ),
    }
)
def vote(committee, x, **sizes):
    start = [weight for weight in committee(**sizes).parameters() if weight.dim() == 2]
    with _certain():
        module = committee(**sizes)
        average = module(x)
    count = sum(parameter.numel() for parameter in module.parameters())
    alike = any(torch.equal(left, right) for left, right in combinations(start, 2))
    return {"average": average, "number of parameters": count, "members alike": alike}


def _resting(component, sizes, like):
    """A module in eval mode that is made in the dtype of `like`, all of it, wherever it is kept."""
    usual = torch.get_default_dtype()
    torch.set_default_dtype(like.dtype)
    try:
        return component(**sizes).eval()
    finally:
        torch.set_default_dtype(usual)


@contextmanager
def _certain(seed=0):
    with certain_dropout(), filled_when_called(seed):
        yield


def _unreached(module, output):
    output.square().sum().backward()
    missed = [parameter for parameter in module.parameters() if parameter.grad is None]
    return {"parameters without a gradient": sum(parameter.numel() for parameter in missed)}
