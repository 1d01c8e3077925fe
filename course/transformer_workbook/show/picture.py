"""A finished figure with its text alternative, and the look that all figures share."""

from __future__ import annotations

import base64
import functools
import html
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import matplotlib
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

P, R = ParamSpec("P"), TypeVar("R")

# Okabe and Ito's palette: its colours stay distinct for every common kind of colour blindness.
BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE = "#56B4E9", "#CC79A7"
INK, MUTED, FAINT, PAPER = "#22272E", "#5B6470", "#D5D9DE", "#FCFBF8"

SEQUENTIAL = LinearSegmentedColormap.from_list("ink_on_paper", [PAPER, SKY, BLUE, "#00263F"])
DIVERGING = LinearSegmentedColormap.from_list(
    "two_sided", ["#7A3200", VERMILLION, PAPER, BLUE, "#00304D"]
)

PIXELS_PER_INCH = 100  # of the page: a figure 9 inches wide takes 900 px of the notebook
SHARPNESS = 1.5  # image pixels for each pixel of the page

# Only fonts that are installed are asked for, since matplotlib warns about each missing one.
FONTS = ("DejaVu Sans", "Noto Sans CJK KR", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo")


@functools.cache
def _look() -> dict[str, object]:
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return {
        "font.family": [font for font in FONTS if font in installed] or ["sans-serif"],
        "font.size": 10.0,
        "mathtext.fontset": "dejavusans",
        "text.color": INK,
        "text.usetex": False,
        "axes.titlesize": 11.0,
        "axes.titleweight": "normal",
        "axes.titlelocation": "left",
        "axes.titlepad": 8.0,
        "axes.titlecolor": INK,
        "axes.labelsize": 10.0,
        "axes.labelcolor": INK,
        "axes.edgecolor": MUTED,
        "axes.facecolor": PAPER,
        "axes.linewidth": 0.8,
        "axes.grid": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.unicode_minus": True,
        "figure.facecolor": PAPER,
        "figure.dpi": PIXELS_PER_INCH,
        "figure.titlesize": 12.0,
        "grid.color": FAINT,
        "hatch.linewidth": 0.8,
        "legend.frameon": False,
        "lines.linewidth": 2.0,
        "savefig.bbox": None,
        "savefig.transparent": False,
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.labelsize": 9.0,
        "ytick.labelsize": 9.0,
    }


def house_style(draw: Callable[P, R]) -> Callable[P, R]:
    """Run a drawing function under the course's look, whatever style the notebook has chosen."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> R:
        with matplotlib.rc_context(_look()):
            return draw(*args, **kwargs)

    return drawn


def literal(label: str) -> str:
    """A token as it is, even one with dollar signs, which matplotlib would take for formulas."""
    return label.replace("$", r"\$")


def new_figure(width: float, height: float) -> Figure:
    """An empty figure that pyplot does not know, so that nothing shows twice or stays in memory."""
    figure = Figure(figsize=(width, height), layout="constrained", facecolor=PAPER)
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
    return figure


class Picture:
    """A figure together with a text that says what it shows.

    In a notebook it appears as an image whose alternative is that text; `str` gives the text.
    """

    def __init__(self, figure: Figure, alt: str) -> None:
        self.figure = figure
        self.alt = alt
        # A figure that came from pyplot would be shown once more at the end of the cell.
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is not None:
            pyplot.close(figure)

    def __str__(self) -> str:
        return self.alt

    def __repr__(self) -> str:
        return self.alt

    @functools.cached_property
    def png(self) -> bytes:
        """The figure as a PNG image, on its own opaque background."""
        file = io.BytesIO()
        with matplotlib.rc_context(_look()):
            self.figure.savefig(
                file,
                format="png",
                dpi=SHARPNESS * PIXELS_PER_INCH,
                facecolor=self.figure.get_facecolor(),
                metadata={"Software": None},
            )
        return file.getvalue()

    def save(self, path: str | Path) -> Path:
        """Write the figure to a file whose ending names the format (png, svg, pdf)."""
        path = Path(path)
        with matplotlib.rc_context(_look()):
            self.figure.savefig(
                path, dpi=2 * PIXELS_PER_INCH, facecolor=self.figure.get_facecolor()
            )
        return path

    def _repr_html_(self) -> str:
        width = round(self.figure.get_figwidth() * PIXELS_PER_INCH)
        data = base64.b64encode(self.png).decode("ascii")
        return (
            f'<img src="data:image/png;base64,{data}" alt="{html.escape(self.alt, quote=True)}" '
            f'width="{width}" style="max-width:100%;height:auto;border-radius:6px">'
        )

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": self.alt}
