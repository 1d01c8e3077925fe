"""How the components of lesson 06 are called."""

from contextlib import contextmanager

import torch
from torch.overrides import TorchFunctionMode

from transformer_workbook.shared.words import Says, says

COMBINED = "Tensors on two devices were combined. Make what you add on the device of ids."
DEVICE = {
    "device": Says(
        "the mask's device",
        "The ids are on the device {expected}, but the mask is on {actual}. Use the device of ids.",
        {
            "tensors on two devices": COMBINED,
            "meta, for all that follows": "The call changed torch's default device, which "
            "affects all later code. Set the device of the new tensors only.",
        },
    )
}


def mask_padding(padding_mask, ids, pad_id):
    return {"mask": padding_mask(ids, pad_id)}


@says(DEVICE)
def mask_padding_there(padding_mask, ids, pad_id):
    return {"device": _device_of(padding_mask, ids, pad_id)}


def mask_future(causal_mask, size):
    return {"mask": causal_mask(size)}


@says(
    {
        "device": Says(
            "the mask's device",
            "The mask was requested on the device {expected}, but is on {actual}.",
        )
    }
)
def mask_future_there(causal_mask, size):
    """On a device without memory: where the mask lies can be seen, what is in it cannot."""
    with _default_device_restored():
        return {"device": causal_mask(size, device=torch.device("meta")).device.type}


def mask_target(target_mask, ids, pad_id):
    return {"mask": target_mask(ids, pad_id)}


@says(DEVICE)
def mask_target_there(target_mask, ids, pad_id):
    return {"device": _device_of(target_mask, ids, pad_id)}


@says({"seen by each position": "the count of what each position sees"})
def count_visible(target_mask, ids, pad_id):
    """How much each position sees: for masks that are too large to be shown."""
    return {"seen by each position": target_mask(ids, pad_id).sum(dim=-1)}


def mask_packed(packed_mask, segments, window):
    return {"mask": packed_mask(segments, window)}


def _device_of(mask_of, ids, pad_id) -> str:
    """Where the mask of ids on another device lies, and new tensors thereafter.

    The device is "meta", which has no numbers. Code that looks at one token after the other is as
    right as any: what it reads there are zeros, and where even that fails, it passes.
    """
    with _default_device_restored(), _ZerosForReaders():
        try:
            device = mask_of(ids=ids.to("meta"), pad_id=pad_id).device.type
        except (RuntimeError, NotImplementedError) as error:
            device = "tensors on two devices" if _are_two_devices(error) else "meta"
        left_as_default = torch.get_default_device().type
    return device if left_as_default == "cpu" else f"{left_as_default}, for all that follows"


class _ZerosForReaders(TorchFunctionMode):
    """What cannot be done with a tensor on "meta" is done with zeros of its shape."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        try:
            return function(*args, **(kwargs or {}))
        except (RuntimeError, NotImplementedError) as error:
            if _are_two_devices(error):
                raise
            zeros = [
                torch.zeros(one.shape, dtype=one.dtype, device="cpu")
                if isinstance(one, torch.Tensor) and one.is_meta
                else one
                for one in args
            ]
            found = function(*zeros, **(kwargs or {}))
            stays = isinstance(found, torch.Tensor) and function not in BRING_TO_THE_CPU
            return found.to("meta") if stays else found


BRING_TO_THE_CPU = (torch.Tensor.cpu, torch.Tensor.to)


def _are_two_devices(error: Exception) -> bool:
    return "expected device" in str(error) or "same device" in str(error)


@contextmanager
def _default_device_restored():
    try:
        yield
    finally:
        torch.set_default_device(None)
