"""A picture with controls where a notebook can answer them, the picture alone elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType

from .picture import Picture


def explore(draw: Callable[..., Picture], controls: Mapping[str, Callable]):
    """A widget that calls `draw` with the values of `controls`; its picture where no kernel runs.

    `controls` maps arguments of `draw` to functions from the module ipywidgets to a control, which
    must start at the argument's default. The widget's `alt` is the text of the current picture.
    """
    picture = draw()
    library = live_widgets()
    if library is None:
        return picture
    made = {name: make(library) for name, make in controls.items()}
    for control in made.values():
        control.style.description_width = "initial"
        if hasattr(control, "readout"):  # a slider
            control.layout.width, control.layout.max_width = "32em", "98%"
    # An HTML widget, unlike an Output, keeps the alternative text and does not flicker.
    view = library.HTML(value=picture._repr_html_())

    class Explorer(library.VBox):
        """Controls above a picture; its `repr`, too, is the text of the picture."""

        alt = picture.alt

        def __repr__(self) -> str:
            return self.alt

        def _repr_mimebundle_(self, **options) -> dict:
            """The widget, and the picture beside it for pages that have no kernel."""
            bundle = {**super()._repr_mimebundle_(**options), "text/plain": self.alt}
            # Colab may prefer text/html to the widget, so leave it out there.
            return bundle if "google.colab" in sys.modules else {**bundle, "text/html": view.value}

    box = Explorer([*made.values(), view])

    def redraw(_change) -> None:
        drawn = draw(**{name: control.value for name, control in made.items()})
        view.value, box.alt = drawn._repr_html_(), drawn.alt

    for control in made.values():
        control.observe(redraw, names="value")
    return box


def live_widgets() -> ModuleType | None:
    """The module ipywidgets, if it is installed and a kernel runs; else None."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if getattr(shell, "kernel", None) is None:
        return None
    try:
        import ipywidgets
    except ImportError:
        return None
    return ipywidgets


def slider(label: str, value: float, low: float, high: float, step: float = 1) -> Callable:
    """A slider, whole-numbered if its value is."""
    kind = "IntSlider" if isinstance(value, int) else "FloatSlider"
    return lambda library: getattr(library, kind)(
        value=value, min=low, max=high, step=step, description=label
    )


def checkbox(label: str, value: bool) -> Callable:
    """A box to tick."""
    return lambda library: library.Checkbox(value=value, description=label, indent=False)


def choice(label: str, options: Mapping[str, str], value: str) -> Callable:
    """A button for each option, whose label is its key. (JupyterLab takes a drop-down's arrows.)"""
    return lambda library: library.ToggleButtons(
        options=[*options.items()], value=value, description=label, style={"button_width": "auto"}
    )
