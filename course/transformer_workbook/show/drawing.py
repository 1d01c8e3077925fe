"""A picture that never changes: an SVG file of a lesson, shown in the page's own ink."""

from __future__ import annotations

import glob
from pathlib import Path
from xml.etree import ElementTree

from ..shared.language import _, language
from .picture import framed

SVG = "http://www.w3.org/2000/svg"
LESSONS = Path(__file__).resolve().parents[1] / "lessons"

ElementTree.register_namespace("", SVG)


class Drawing:
    """An SVG, which follows the page's theme, and its text alternative: its title, description."""

    def __init__(self, root: ElementTree.Element) -> None:
        self.svg = ElementTree.tostring(root, encoding="unicode")
        self._size = dict(root.items())
        self.alt = "\n".join(root.findtext(f"{{{SVG}}}{tag}", "") for tag in ("title", "desc"))

    def __repr__(self) -> str:
        return self.alt

    def save(self, path: str | Path) -> Path:
        """Write the SVG to a file."""
        path = Path(path)
        path.write_text(self.svg, "utf-8")
        return path

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        # As image/svg+xml, JupyterLab would show it as an image, which has no theme.
        markup = framed(self.svg, self._size["width"], self._size["style"])
        return {"text/html": markup, "text/plain": self.alt}


def files_of(name: str) -> dict[str, Path]:
    """The files of a picture by step: that of `""` is name.svg, that of `"x"` is name.x.svg."""
    files = sorted(LESSONS.glob(f"*/figures/{glob.escape(name)}.*svg"))
    return {file.stem[len(name) + 1 :]: in_language(file) for file in files}


def in_language(file: Path) -> Path:
    """The picture in the notebook's language, if there is one: in figures/ko, for instance."""
    translated = file.parent / language() / file.name
    return translated if translated.is_file() else file


def drawing(name: str, step: str = "") -> Drawing:
    """The picture of this name; of one that is drawn step by step, as far as a step.

    Raises ValueError for a step that it does not have.
    """
    files = files_of(name)
    if step not in files:
        message = _("{caller} was called with {actual!r}; expected one of {steps}.")
        steps = ", ".join(map(repr, files))
        raise ValueError(message.format(caller=name, actual=step, steps=steps))
    return Drawing(ElementTree.parse(files[step]).getroot())
