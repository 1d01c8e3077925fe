"""Converts tensors, arrays and nested lists to numpy arrays, with errors for learners."""

from __future__ import annotations

import numpy as np
import torch


def as_array(values: object, dimensions: int, caller: str, what: str) -> np.ndarray:
    """`values` as a float64 array with that many dimensions.

    `caller` and `what` name the function and the argument in messages. Raises TypeError for
    anything but numbers, and ValueError for another number of dimensions or no entries.
    """
    if isinstance(values, torch.Tensor):
        # numpy has no bfloat16, and cannot convert a tensor on a GPU or with a graph.
        array = values.detach().to("cpu", torch.float64).numpy()
    else:
        try:
            array = np.asarray(values, dtype=float)
        except (TypeError, ValueError):
            raise TypeError(
                f"{caller} was called with {_described(values)}; expected {what}: a tensor, an "
                f"array or a list of equally long rows of numbers."
            ) from None
    if array.ndim != dimensions:
        raise ValueError(
            f"{caller} was called with {_described(values)}; expected {what}, which has "
            f"{dimensions} dimension{'s' if dimensions > 1 else ''}. {_advice(array, dimensions)}"
        )
    if array.size == 0:
        raise ValueError(f"{caller} was called with {_described(values)}: nothing to draw.")
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
            f"{caller} was called with {len(labels)} labels in {name} ({', '.join(labels[:6])}"
            f"{', ...' if len(labels) > 6 else ''}), but {dimension} has {length}; "
            f"expected one label for each."
        )
    return labels


def _described(values: object) -> str:
    if isinstance(values, torch.Tensor):
        return f"a tensor of shape {tuple(values.shape)}"
    if isinstance(values, np.ndarray):
        return f"an array of shape {values.shape}"
    return f"a {type(values).__name__}"


def _advice(array: np.ndarray, dimensions: int) -> str:
    if array.ndim > dimensions:
        index = ", ".join(["0"] * (array.ndim - dimensions))
        return f"Choose one item of the first dimensions, e.g. [{index}]."
    if array.ndim == dimensions - 1:
        return "Add a dimension, e.g. [None]."
    return "Check its shape with .shape."
