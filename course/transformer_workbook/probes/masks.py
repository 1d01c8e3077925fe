# Derived from autograder/lessons/06-masks/probes.py: do not edit.
"""How the components of lesson 06 are called."""

import torch


def mask_padding(padding_mask, ids, pad_id):
    return {"mask": padding_mask(ids, pad_id)}


def mask_future(causal_mask, size):
    return {"mask": causal_mask(size)}


def mask_future_there(causal_mask, size):
    """On a device without memory: where the mask lies can be seen, what is in it cannot."""
    return {"device": causal_mask(size, device=torch.device("meta")).device.type}


def mask_target(target_mask, ids, pad_id):
    return {"mask": target_mask(ids, pad_id)}


def mask_target_there(target_mask, ids, pad_id):
    """Code that looks at one token after the other cannot run there, and is as right as any."""
    try:
        device = target_mask(ids.to("meta"), pad_id).device.type
    except (RuntimeError, NotImplementedError) as error:
        if "expected device" in str(error) or "same device" in str(error):
            device = "tensors on two devices"
        else:
            device = "meta"
    return {"device": device}


def mask_packed(packed_mask, segments, window):
    return {"mask": packed_mask(segments, window)}
