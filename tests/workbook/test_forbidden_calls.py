"""Torch's own version of an exercise is refused, however it is reached, and only for so long."""

import functools
import threading

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer_workbook.shared import forbidden_calls
from transformer_workbook.shared.forbidden_calls import WriteThisYourself, forbidden

ATTENTION = ["torch.nn.functional.scaled_dot_product_attention"]
NORM = ["torch.nn.LayerNorm"]
x = torch.randn(1, 2, 3, 8, generator=torch.Generator().manual_seed(0))
saved_attention = F.scaled_dot_product_attention
saved_forward = F.multi_head_attention_forward
made_before = nn.MultiheadAttention(8, 2, batch_first=True).eval()
norm_made_before = nn.LayerNorm(8)


def attend(query):
    return F.scaled_dot_product_attention(query, query, query)


scripted, traced = torch.jit.script(attend), torch.jit.trace(attend, (x,))


def without_modes():
    with torch._C.DisableTorchFunction():
        return saved_attention(x, x, x)


def switched(**how):
    with (
        torch.inference_mode(how.get("inference", False)),
        torch.autocast("cpu", enabled=how.get("autocast", False)),
    ):
        return attend(x)


CALLS = {
    "by its name": (ATTENTION, lambda: F.scaled_dot_product_attention(x, x, x)),
    "a saved reference": (ATTENTION, lambda: saved_attention(x, x, x)),
    "torch._C": (ATTENTION, lambda: torch._C._nn.scaled_dot_product_attention(x, x, x)),
    "torch.ops": (ATTENTION, lambda: torch.ops.aten.scaled_dot_product_attention(x, x, x)),
    "one kernel": (
        ATTENTION,
        lambda: torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(x, x, x),
    ),
    "with gradients": (ATTENTION, lambda: attend(x.clone().requires_grad_())),
    "vmap": (ATTENTION, lambda: torch.vmap(attend)(x)),
    "inference mode": (ATTENTION, lambda: switched(inference=True)),
    "autocast": (ATTENTION, lambda: switched(autocast=True)),
    "modes switched off": (ATTENTION, without_modes),
    "MultiheadAttention": (ATTENTION, lambda: nn.MultiheadAttention(8, 2)(x[0], x[0], x[0])),
    "a module made before": (ATTENTION, lambda: made_before(x[0], x[0], x[0])),
    "a subclass": (
        ATTENTION,
        lambda: nn.MultiheadAttention.__subclasses__()[0](8, 2)(x[0], x[0], x[0]),
    ),
    "the function of the module": (
        ATTENTION,
        lambda: saved_forward(
            x[0], x[0], x[0], 8, 2, None, None, None, None, False, 0.0, None, None
        ),
    ),
    "flex attention": (
        ATTENTION,
        lambda: __import__(
            "torch.nn.attention.flex_attention", fromlist=["flex_attention"]
        ).flex_attention(x, x, x),
    ),
    "an encoder layer": (ATTENTION, lambda: nn.TransformerEncoderLayer(8, 2)(x[0])),
    "layer_norm": (NORM, lambda: F.layer_norm(x, (8,))),
    "torch.layer_norm": (NORM, lambda: torch.layer_norm(x, (8,))),
    "torch.native_layer_norm": (NORM, lambda: torch.native_layer_norm(x, (8,), None, None, 1e-5)),
    "a norm made before": (NORM, lambda: norm_made_before(x)),
    "another norm": (NORM, lambda: F.group_norm(x.flatten(0, 2), 1)),
    "batch_norm": (NORM, lambda: F.batch_norm(x[0, 0].T, None, None, training=True)),
    "rms_norm": (NORM, lambda: F.rms_norm(x, (8,))),
    "on meta tensors": (NORM, lambda: F.layer_norm(x.to("meta"), (8,))),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_way_to_torchs_own_version_is_refused(name):
    names, call = CALLS[name]
    with forbidden(names) as called, pytest.raises(WriteThisYourself):
        call()
    assert called


@pytest.mark.parametrize("compiled", [scripted, traced])
def test_what_torchscript_makes_of_a_refusal_is_noted(compiled):
    with forbidden(ATTENTION) as called, pytest.raises(RuntimeError):
        compiled(x)
    assert called == ATTENTION


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_refusal_in_a_thread_is_noted():
    found = []
    with forbidden(ATTENTION) as called:
        thread = threading.Thread(target=lambda: found.append(saved_attention(x, x, x)))
        thread.start()
        thread.join()
    assert (called, found) == (ATTENTION, [])


def test_afterwards_everything_is_as_before():
    calls = [functools.partial(attend, x), functools.partial(made_before, x[0], x[0], x[0]),
             functools.partial(norm_made_before, x), functools.partial(scripted, x)]  # fmt: skip
    before = [call() for call in calls]
    for names in (ATTENTION, NORM):
        with pytest.raises(KeyboardInterrupt), forbidden(names):
            raise KeyboardInterrupt
    torch.testing.assert_close([call() for call in calls], before, rtol=0, atol=0)
    assert nn.MultiheadAttention.forward.__kwdefaults__ is None


def test_what_is_not_named_works():
    with forbidden(ATTENTION) as called:
        norm_made_before(x)
        (x @ x.mT).softmax(-1) @ x
    with forbidden(NORM):
        attend(x)
        isinstance(norm_made_before, nn.LayerNorm)
    assert called == []


def test_all_names_of_the_table_are_known_to_this_torch():
    for name in forbidden_calls.aliases(forbidden_calls.EQUIVALENT_CALLS):
        assert name.startswith("aten::") or forbidden_calls.find(name), name
