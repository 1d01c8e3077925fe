"""The paper's Figure 1 as a map of the course, with the finished parts lit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, parse

from ..shared.language import N_, _
from .drawing import SVG, Drawing

STATES = {"open": N_("to build"), "partly": N_("partly built"), "done": N_("built")}
MARKS = {"done", "partly", "current"}  # what a part has for each, of which those that hold stay


@dataclass(frozen=True)
class Part:
    """A part of the figure, and the components that have to be done for it to light up."""

    group: Element
    components: tuple[str, ...]
    missing: tuple[str, ...]
    is_current: bool

    @property
    def state(self) -> str:
        if not self.missing:
            return "done"
        return "partly" if len(self.missing) < len(self.components) else "open"

    def light(self) -> None:
        """Leave the marks that hold, count what is done, and tick it in lists."""
        held = {self.state, *(["current"] if self.is_current else [])}
        for mark in list(self.group):
            kind = mark.get("class", "")
            if kind in MARKS - held:
                self.group.remove(mark)
            elif kind == "partly" and mark.text:
                mark.text = f"{len(self.components) - len(self.missing)}/{len(self.components)}"
        for listed in self.group.iter(f"{{{SVG}}}tspan"):
            name = listed.get("data-component")
            if name in self.components and name not in self.missing:
                listed.text = f"✓ {name}"

    def __str__(self) -> str:
        title = self.group.get("data-part")
        if self.group.get("data-beyond"):
            title = _("{title} (beyond the paper)").format(title=title)
        line = (
            _("Lesson {lesson}, {part}: {state}, part of this lesson ({detail}).")
            if self.is_current
            else _("Lesson {lesson}, {part}: {state} ({detail}).")
        )
        names = ", ".join(self.missing or self.components)
        detail = _("to build: {names}") if self.missing else _("has {names}")
        return line.format(
            lesson=self.group.get("data-lesson"),
            part=title,
            state=_(STATES[self.state]),
            detail=detail.format(names=names),
        )


def draw(file: Path, done: Collection[str], current: Collection[str] = frozenset()) -> Drawing:
    """Light in Figure 1 the parts whose components are in `done`.

    A part with all its components done is filled and ticked, one with some is hatched and counted.
    The parts of the components in `current` have a heavy outline. Unknown names in `done` are
    ignored. Raises ValueError for a name in `current` that is no component of a part.
    """
    root = parse(file).getroot()
    parts = []
    for group in root.findall(f"{{{SVG}}}g[@data-components]"):
        components = tuple(group.get("data-components", "").split())
        missing = tuple(name for name in components if name not in done)
        parts.append(Part(group, components, missing, not set(current).isdisjoint(components)))
    names = sorted(name for part in parts for name in part.components)
    if strange := sorted(set(current) - set(names)):
        message = _(
            "figure_one.draw was called with current={actual}; expected names of components of "
            "the figure: {known}."
        )
        raise ValueError(message.format(actual=strange, known=", ".join(names)))
    for part in parts:
        part.light()
    title = _(
        "Figure 1 of the paper, encoder on the left, decoder on the right; {finished} of {total} "
        "parts are built."
    )
    finished = sum(part.state == "done" for part in parts)
    _set(root, "title", title.format(finished=finished, total=len(parts)))
    _set(root, "desc", "\n".join(map(str, parts)))
    return Drawing(root)


def _set(root: Element, tag: str, text: str) -> None:
    element = root.find(f"{{{SVG}}}{tag}")
    if element is not None:
        element.text = text
