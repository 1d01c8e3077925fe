"""A figure with its text alternative, and the style that all figures share."""

from __future__ import annotations

import base64
import functools
import html
import io
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import matplotlib
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from ..shared.language import _

P = ParamSpec("P")
R = TypeVar("R")

# Okabe and Ito's palette, which is distinct for all common kinds of color blindness.
BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE = "#56B4E9", "#CC79A7"
INK, MUTED, FAINT, PAPER = "#22272E", "#5B6470", "#D5D9DE", "#FCFBF8"

SEQUENTIAL = LinearSegmentedColormap.from_list("ink_on_paper", [PAPER, SKY, BLUE, "#00263F"])
DIVERGING = LinearSegmentedColormap.from_list(
    "two_sided", ["#7A3200", VERMILLION, PAPER, BLUE, "#00304D"]
)

CENTERED = {"ha": "center", "va": "center"}  # of a text
PIXELS_PER_INCH = 100  # CSS pixels: a figure 9 inches wide takes 900 px of the notebook
LEAST_WIDTH = 640  # on a phone a wide figure scrolls: smaller, its letters are illegible
# No wider than what it stands in, also in the flex box of a widget.
FRAME = Path(__file__).with_name("frame.html").read_text(encoding="utf-8")
PIXEL_RATIO = 1.5  # image pixels for each CSS pixel

# Only those that are installed are used: matplotlib warns about each missing font.
# Where none with Hangul is, the one beside this file is: Colab, Binder and a new Debian have none.
HANGUL = ("Noto Sans CJK KR", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo")
FONT = Path(__file__).with_name("fonts") / "NotoSansCJKkr-subset.otf"
FONTS = ("DejaVu Sans", *HANGUL)
STYLE = Path(__file__).with_name("house.mplstyle")


@functools.cache
def _style() -> dict[str, object]:
    from matplotlib.font_manager import fontManager

    if not any(font.name in HANGUL for font in fontManager.ttflist):
        fontManager.addfont(FONT)
    installed = {font.name for font in fontManager.ttflist}
    return {
        **matplotlib.rc_params_from_file(STYLE, use_default_template=False),
        "font.family": [font for font in FONTS if font in installed] or ["sans-serif"],
        **dict.fromkeys(("text.color", "axes.titlecolor", "axes.labelcolor"), INK),
        **dict.fromkeys(("xtick.labelcolor", "ytick.labelcolor"), INK),
        **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), MUTED),
        **dict.fromkeys(("axes.facecolor", "figure.facecolor"), PAPER),
        "figure.dpi": PIXELS_PER_INCH,
        "grid.color": FAINT,
    }


def house_style(draw: Callable[P, R]) -> Callable[P, R]:
    """Run a drawing function with the course's style, whatever the notebook's rcParams are."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> R:
        with matplotlib.rc_context(_style()):
            return draw(*args, **kwargs)

    return drawn


def literal(label: str) -> str:
    """A label with dollar signs escaped, which matplotlib would read as formulas."""
    return label.replace("$", r"\$")


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches; unknown to pyplot, which would show it twice and keep it."""
    figure = Figure(figsize=(width, height), layout="constrained", facecolor=PAPER)
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
    return figure


def canvas(height: float, title: str) -> tuple[Figure, Axes]:
    """A figure 9 inches wide for boxes and lines, whose axes count pixels from its lower left."""
    figure = new_figure(9.0, height)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    height *= PIXELS_PER_INCH
    axes.set(xlim=(0, 900), ylim=(0, height))
    axes.set_axis_off()
    axes.text(16, height - 20, literal(title), va="center", fontsize=11)
    return figure, axes


def rounded_box(axes: Axes, x: float, y: float, width: float, height: float, **look: Any) -> None:
    """A box with round corners, its lower left one at x and y."""
    style = "round,pad=0,rounding_size=5"
    axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=style, **look))


def framed(picture: str, width: object, style: str) -> str:
    """A picture's markup in a frame that scrolls, with a shadow where the picture continues.

    `width` in CSS pixels and `style` are the picture's own. Phones and many desktops show no
    scrollbar before one scrolls. The shadow sticks to the right edge, and is clipped at the end.
    """
    return FRAME.format(label=_("picture"), width=width, style=style, picture=picture)


class Picture:
    """A figure and its text alternative: an image with that as alt in a notebook, else the text."""

    def __init__(self, figure: Figure, alt: str) -> None:
        self.figure = figure
        self.alt = alt
        # pyplot would show a figure of its own again at the end of the cell.
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is not None:
            pyplot.close(figure)

    def __repr__(self) -> str:
        return self.alt

    @functools.cached_property
    def png(self) -> bytes:
        """The figure as a PNG image with an opaque background."""
        file = io.BytesIO()
        with matplotlib.rc_context(_style()):
            dpi = PIXEL_RATIO * PIXELS_PER_INCH
            self.figure.savefig(file, format="png", dpi=dpi, metadata={"Software": None})
        return file.getvalue()

    def save(self, path: str | Path) -> Path:
        """Write the figure to a file in the format of its suffix (png, svg, pdf)."""
        path = Path(path)
        with matplotlib.rc_context(_style()):
            self.figure.savefig(path, dpi=2 * PIXELS_PER_INCH)
        return path

    def _repr_html_(self) -> str:
        width, height = (round(side * PIXELS_PER_INCH) for side in self.figure.get_size_inches())
        data = base64.b64encode(self.png).decode("ascii")
        style = f"max-width:max(100%,{LEAST_WIDTH}px);height:auto"
        image = (
            f'<img src="data:image/png;base64,{data}" alt="{html.escape(self.alt, quote=True)}" '
            f'width="{width}" height="{height}" style="{style};border-radius:6px">'
        )
        return framed(image, width, style)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": self.alt}


@house_style
def note(text: str) -> Picture:
    """A sentence in place of a picture that cannot be drawn."""
    figure = new_figure(9.0, 1.4)
    lines = textwrap.fill(text, 90, break_long_words=False)
    figure.text(0.02, 0.5, literal(lines), va="center", fontsize=11)
    return Picture(figure, text)
