"""Parameter counts."""

from __future__ import annotations

from collections.abc import Mapping

from ..shared.language import _, ngettext
from .picture import BLUE, Picture, house_style, literal, new_figure


@house_style
def parameters(counts: Mapping[str, int], title: str = "") -> Picture:
    """Draw the parameter counts `{part: count}`, the largest first. Raises TypeError if empty."""
    if not isinstance(counts, Mapping) or not counts:
        message = _("parameters was called with a {type}; expected {{part: count}}.")
        raise TypeError(message.format(type=type(counts).__name__))
    counts = dict(sorted(counts.items(), key=lambda item: -item[1]))
    total = sum(counts.values())
    in_all = ngettext("{total:,} parameter", "{total:,} parameters", total).format(total=total)
    figure = new_figure(9.0, 1.0 + 0.36 * len(counts))
    axes = figure.add_subplot()
    axes.barh(
        [literal(str(part)) for part in counts], list(counts.values()), color=BLUE, height=0.62
    )
    labels = [
        _("{count:,} ({share:.1f} %)").format(count=count, share=100 * count / max(total, 1))
        for count in counts.values()
    ]
    for row, (count, label) in enumerate(zip(counts.values(), labels, strict=True)):
        axes.annotate(
            label, (count, row), xytext=(5, 0), textcoords="offset points", va="center", fontsize=9
        )
    axes.invert_yaxis()
    axes.set(xlim=(0, max(counts.values()) * 1.28 or 1), title=literal(title) or in_all)
    axes.spines[["bottom", "left"]].set_visible(False)
    axes.tick_params(length=0, labelbottom=False)
    listed = "; ".join(f"{part} {label}" for part, label in zip(counts, labels, strict=True))
    return Picture(figure, _("{total}: {parts}.").format(total=in_all, parts=listed))
