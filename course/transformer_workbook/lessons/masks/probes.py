"""How the components of lesson 06 are called."""

import torch

from transformer_workbook.shared.probing import TWO_DEVICES, default_device_restored, where_it_runs
from transformer_workbook.shared.words import Wording, wording

COMBINED = "Tensors on two devices were combined. Make what you add on the device of ids."
DEVICE = {
    "device": Wording(
        "the mask's device",
        "The ids are on the device {expected}, but the mask is on {actual}. Use the device of ids.",
        {
            TWO_DEVICES: COMBINED,
            "meta, for all that follows": "The call changed torch's default device, which "
            "affects all later code. Set the device of the new tensors only.",
        },
    )
}


def mask_ids(component, ids, pad_id):
    return {"mask": component(ids, pad_id)}


@wording(DEVICE)
def mask_ids_there(component, ids, pad_id):
    return {
        "device": where_it_runs(lambda: component(ids=ids.to("meta"), pad_id=pad_id).device.type)
    }


def mask_future(causal_mask, size):
    return {"mask": causal_mask(size)}


@wording(
    {
        "device": Wording(
            "the mask's device",
            "The mask was requested on the device {expected}, but is on {actual}.",
        )
    }
)
def mask_future_there(causal_mask, size):
    """On a device without memory: where the mask lies can be seen, what is in it cannot."""
    causal_mask(size)  # a mask that is kept must not be given back for another device
    with default_device_restored():
        return {"device": causal_mask(size, device=torch.device("meta")).device.type}


@wording({"seen by each position": "the count of what each position sees"})
def count_visible(target_mask, ids, pad_id):
    """How much each position sees: for masks that are too large to be shown."""
    return {"seen by each position": target_mask(ids, pad_id).sum(dim=-1)}


def mask_packed(packed_mask, segments, window):
    return {"mask": packed_mask(segments, window)}
