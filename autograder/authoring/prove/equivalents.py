"""Mutants of a lesson that behave like the reference, and why: equivalent.toml, or blanks.toml.

Each entry names mutants, by what changes, or by a kind and the text of the line it happens in:

    [[equivalent]]
    component = "LayerNorm"
    change = ["x + self.eps -> self.eps + x"]      # also with its line: "line 12: ... -> ..."
    reason = "..."

    [[equivalent]]
    component = "greedy_decode"
    kind = "detached"
    line = "log_probs = model.generator(decoded[:, -1])"
    reason = "No gradient flows there in any case."
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.authoring.mutants.edit import FAMILIES, Edit
from autograder.errors import AuthoringError
from autograder.language import _
from autograder.lesson.author_files import read_toml
from autograder.lesson.lesson import EQUIVALENT


@dataclass(frozen=True)
class Equivalent:
    """One entry: the mutants it names, and the reason why no test can see them."""

    component: str
    reason: str
    changes: tuple[str, ...] = ()
    kind: str = ""
    lines: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The changes, or the lines, that name mutants."""
        return self.changes or self.lines or ("",)

    def quote(self, part: str) -> str:
        """The part as faults name it."""
        if self.changes or not part:
            return repr(part) if self.changes else self.kind
        return _("{kind} in {line!r}").format(kind=self.kind, line=part)

    def fits(self, part: str, mutant: Edit) -> bool:
        """Whether a part of this entry names the mutant."""
        if mutant.component != self.component:
            return False
        if self.changes:
            return part in (mutant.change, mutant.change.partition(": ")[2])
        return mutant.family == self.kind and part in ("", mutant.line)


def read_equivalents(folder: Path, components: list[str]) -> list[Equivalent]:
    """The entries of a lesson's file and of its blanks.toml. Raises AuthoringError."""
    return [
        _read(path, entry, components)
        for path in (folder / EQUIVALENT, folder / "blanks.toml")
        if path.is_file()
        for entry in read_toml(path).get("equivalent", [])
    ]


def _read(path: Path, entry: dict[str, Any], components: list[str]) -> Equivalent:
    component, kind = entry["component"], entry.get("kind", "")
    where = f"{path}: {entry.get('change') or kind}"
    if component not in components:
        raise AuthoringError(_("{where}: no component {name!r}"), where=where, name=component)
    if kind and kind not in FAMILIES:
        raise AuthoringError(
            _("{where}: a kind is one of {names}"), where=where, names=", ".join(sorted(FAMILIES))
        )
    changes, lines = _texts(entry.get("change", [])), _texts(entry.get("line", []))
    return Equivalent(component, entry["reason"], changes, kind, lines)


def _texts(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
