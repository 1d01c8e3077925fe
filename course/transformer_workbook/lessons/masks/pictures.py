"""Padding and causal masks, and the attention weights under them."""

from __future__ import annotations

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle
from torch.nn import functional

from ...shared.language import _
from ...show.heat_maps import draw_cells, label_cells
from ...show.picture import CENTERED, INK, MUTED, SEQUENTIAL, Picture, house_style, new_figure
from ...show.widgets import checkbox, explore

__all__ = ["mask_builder", "masks"]

PAD = "<pad>"
SENTENCE = " ".join(("<bos>", "the", "cat", "sat", PAD, PAD))


@house_style
def masks(sentence: str) -> Picture:
    """Draw the padding mask, the causal mask and both together for one sentence.

    The sentence is tokens with spaces between them, in which "<pad>" is padding.
    """
    tokens = sentence.split()
    real = np.array([token != PAD for token in tokens])
    parts = [
        (_("padding"), _allowed(real, causal=False)),
        (_("causal"), _allowed(real | True, causal=True)),
        (_("both"), _allowed(real, causal=True)),
    ]
    figure = new_figure(9.0, 3.6)
    for index, (name, allowed) in enumerate(parts):
        axes = figure.add_subplot(1, len(parts), index + 1)
        _draw_mask(axes, allowed)
        label_cells(axes, tokens if index == 0 else [""] * len(tokens), tokens)
        axes.set_title(name, loc="center")
    figure.supxlabel(_("key: what is looked at"), fontsize=10)
    figure.supylabel(_("query: who is looking"), fontsize=10)
    return Picture(figure, "\n".join(_describe(name, allowed, tokens) for name, allowed in parts))


def mask_builder(sentence: str = SENTENCE) -> object:
    """A widget with a sentence's mask and attention weights, and checkboxes for both masks."""
    tokens = sentence.split()
    real = np.array([token != PAD for token in tokens])

    def draw(padding: bool = True, causal: bool = True) -> Picture:
        return draw_mask_and_weights(tokens, real | (not padding), causal)

    padding, causal = checkbox(_("hide padding"), True), checkbox(_("hide the future"), True)
    return explore(draw, {"padding": padding, "causal": causal})


@house_style
def draw_mask_and_weights(tokens: list[str], real: np.ndarray, causal: bool) -> Picture:
    """Draw `mask_builder` for one choice; `real` is (T,), True at real tokens."""
    allowed = _allowed(real, causal)
    size = len(tokens)
    generator = torch.Generator().manual_seed(3)
    query, key = torch.randn(2, 1, size, 8, generator=generator)
    # With the identity as values, the output of torch's attention is its weights.
    weights = functional.scaled_dot_product_attention(
        query, key, torch.eye(size)[None], attn_mask=torch.from_numpy(allowed)
    )[0].numpy()
    figure = new_figure(9.0, 3.9)
    left, right = figure.subplots(1, 2)
    _draw_mask(left, allowed)
    left.set_title(_("mask: ✓ may look"), loc="center")
    image = draw_cells(right, weights, allowed, Normalize(0, 1), SEQUENTIAL, size <= 12)
    right.set_title(_("attention weights"), loc="center")
    for axes in (left, right):
        label_cells(axes, tokens, tokens)
        axes.set_xlabel(_("key: what is looked at"))
    left.set_ylabel(_("query: who is looking"))
    figure.colorbar(image, ax=right, pad=0.02, aspect=20).outline.set_visible(False)
    share = _("{key} {weight:.2f}")
    shares = [[share.format(key=tokens[n], weight=row[n]) for n in range(size)] for row in weights]
    rows = _rows(_("{query} looks at {keys}"), allowed, tokens, shares)
    mask = _describe(_("as the boxes say"), allowed, tokens)
    said = _("{mask} Attention weights under this mask, each row sums to 1. {rows}.")
    return Picture(figure, said.format(mask=mask, rows=rows))


def _allowed(real: np.ndarray, causal: bool) -> np.ndarray:
    """The mask (T, T): the keys (columns) to which torch gives weight for each query (row)."""
    size = len(real)
    blank = torch.zeros(1, size, 1)
    seen = functional.scaled_dot_product_attention(
        blank, blank, torch.eye(size)[None], is_causal=causal
    )[0]
    return (seen.numpy() > 0) & real


def _draw_mask(axes: Axes, allowed: np.ndarray) -> None:
    """Draw a tick where attention is allowed, a hatched cell where it is not."""
    size = len(allowed)
    draw_cells(axes, allowed.astype(float), allowed, Normalize(0, 3.5), SEQUENTIAL, False)
    for row, column in np.argwhere(allowed):
        if size <= 16:
            axes.text(column, row, "✓", color=INK, fontsize=9, **CENTERED)
    axes.add_patch(Rectangle((-0.5, -0.5), size, size, fill=False, ec=MUTED, lw=0.8, clip_on=False))


def _describe(title: str, allowed: np.ndarray, tokens: list[str]) -> str:
    rows = _rows(_("{query} may look at {keys}"), allowed, tokens, [tokens] * len(tokens))
    return _("Mask ({title}). {rows}.").format(title=title, rows=rows)


def _rows(said: str, allowed: np.ndarray, tokens: list[str], keys: list[list[str]]) -> str:
    """What each token looks at, in words; `keys` are those of each row, in words."""
    seen = [[row[n] for n in np.flatnonzero(allowed[at])] for at, row in enumerate(keys)]
    pairs = zip(tokens, (", ".join(names) or _("nothing") for names in seen), strict=True)
    return "; ".join(said.format(query=token, keys=names) for token, names in pairs)
