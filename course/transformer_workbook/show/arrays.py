"""Converts tensors, arrays and nested lists to numpy arrays, with errors for learners."""

from __future__ import annotations

import numpy as np
import torch

from ..shared.language import _, ngettext


def as_array(values: object, dimensions: int, caller: str, argument: str) -> np.ndarray:
    """`values` as a float64 array with that many dimensions.

    `caller` and `argument` name the function and the argument in messages. Raises TypeError for
    anything but numbers, and ValueError for another number of dimensions or no entries.
    """
    if isinstance(values, torch.Tensor):
        # numpy has no bfloat16, and cannot convert a tensor on a GPU or with a graph.
        array = values.detach().to("cpu", torch.float64).numpy()
    else:
        try:
            array = np.asarray(values, dtype=float)
        except (TypeError, ValueError):
            message = _(
                "{caller} was called with {actual}; expected {what}: a tensor, an array or a list "
                "of equally long rows of numbers."
            )
            actual = _described(values)
            raise TypeError(message.format(caller=caller, actual=actual, what=argument)) from None
    if array.ndim != dimensions:
        message = ngettext(
            "{caller} was called with {actual}; expected {what}, which has {count} axis. {advice}",
            "{caller} was called with {actual}; expected {what}, which has {count} axes. {advice}",
            dimensions,
        )
        raise ValueError(
            message.format(
                caller=caller,
                actual=_described(values),
                what=argument,
                count=dimensions,
                advice=_advice(array, dimensions),
            )
        )
    if array.size == 0:
        message = _("{caller} was called with {actual}: nothing to draw.")
        raise ValueError(message.format(caller=caller, actual=_described(values)))
    return array


def labels_for(
    labels: object, length: int, caller: str, name: str, dimension: str
) -> list[str] | None:
    """`labels` as `length` strings, or None. Raises ValueError for another number of labels."""
    if labels is None:
        return None
    if isinstance(labels, str):
        labels = labels.split()
    labels = [str(getattr(label, "item", lambda label=label: label)()) for label in labels]
    if len(labels) != length:
        raise ValueError(
            _(
                "{caller} was called with {count} labels in {name} ({labels}), but {dimension} has "
                "{length}; expected one label for each."
            ).format(
                caller=caller,
                count=len(labels),
                name=name,
                labels=", ".join(labels[:6] + ["..."] * (len(labels) > 6)),
                dimension=dimension,
                length=length,
            )
        )
    return labels


def _described(values: object) -> str:
    if isinstance(values, torch.Tensor):
        return _("a tensor of shape {shape}").format(shape=tuple(values.shape))
    if isinstance(values, np.ndarray):
        return _("an array of shape {shape}").format(shape=values.shape)
    return _("a {type}").format(type=type(values).__name__)


def _advice(array: np.ndarray, dimensions: int) -> str:
    if array.ndim > dimensions:
        index = ", ".join(["0"] * (array.ndim - dimensions))
        return _("Choose one item of the first axes, e.g. [{index}].").format(index=index)
    if array.ndim == dimensions - 1:
        return _("Add an axis, e.g. [None].")
    return _("Check its shape with .shape.")
