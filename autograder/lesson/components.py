"""Components, blanks and known answers: what blanks.toml says about the reference's code."""

import ast
import builtins
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from autograder.errors import AuthoringError
from autograder.language import _
from transformer_workbook.shared.forbidden_calls import find
from transformer_workbook.shared.notebook import NOTEBOOK_IMPORTS
from transformer_workbook.shared.syntax import parse

from .author_files import read_source
from .blanks import MARK, Span, change, fill, locate, with_names
from .cases import check_names

BUG_HUNT = "bug_hunt_"  # a bug hunt's grade_id, up to its number
In = TypeVar("In")
Out = TypeVar("Out")
SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions" / "transformer"


@dataclass(frozen=True)
class Blank:
    """A place in a component's code that the student fills."""

    name: str
    component: str
    address: str
    span: Span
    text: str
    hints: tuple[str, str, str]
    right: tuple[str, ...]


@dataclass(frozen=True)
class KnownAnswer:
    """A component's whole code, written in another way: right, or wrong in a known way.

    `says` is told of code that is written in the way of the reference, `behaves` of any other code
    that behaves alike; where it is empty, `says` is true of both.
    """

    name: str
    component: str
    source: str
    says: str = ""
    blank: str = ""
    behaves: str = ""


@dataclass(frozen=True)
class Component:
    """One answer cell. `name` is its grade_id, `defines` what it defines in the notebook.

    `forbidden` are torch's own versions of what is to be written there.
    """

    name: str
    defines: str
    source: str
    released: str
    blanks: tuple[Blank, ...]
    right: tuple[KnownAnswer, ...]
    wrong: tuple[KnownAnswer, ...]
    hints: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @property
    def is_bug_hunt(self) -> bool:
        return self.name.startswith(BUG_HUNT)

    @property
    def usual_probe(self) -> str:
        """The probe, in `shared/probes.py` of the students' package, of cases that name none."""
        is_module = isinstance(parse(self.source).body[-1], ast.ClassDef)
        return "of_module" if is_module else "of_function"

    @cached_property
    def arguments(self) -> list[str]:
        """The names of what its functions are given, in their order."""
        functions = (n for n in ast.walk(parse(self.source)) if isinstance(n, ast.FunctionDef))
        parameters = (argument.arg for function in functions for argument in function.args.args)
        return [name for name in dict.fromkeys(parameters) if name != "self"]

    @property
    def title(self) -> str:
        """What headings call it: its name in code, or a bug hunt in words."""
        return title_of(self.name)

    @cached_property
    def released_lines(self) -> dict[str, str]:
        """The released line of each blank, in the order of the code."""
        place, lines = -1, {}
        for blank in self.blanks:
            place = self.released.index(MARK, place + 1)
            start = self.released.rfind("\n", 0, place) + 1
            lines[blank.name] = self.released[start:].partition("\n")[0].strip()
        return lines


def title_of(component: str) -> str:
    """What headings call a component; a lesson's only bug hunt needs no number."""
    if not component.startswith(BUG_HUNT):
        return component
    number = component.removeprefix(BUG_HUNT)
    return _("Bug hunt") if number == "1" else _("Bug hunt {number}").format(number=number)


def read_components(folder: Path, data: dict[str, Any]) -> list[Component]:
    """The components and bug hunts of a lesson, from `data`, the content of its blanks.toml.

    Raises AuthoringError that names the file and the entry.
    """
    return _Reader(folder, data).components()


class _Reader:
    """Reads the components of one blanks.toml."""

    def __init__(self, folder: Path, data: dict[str, Any]):
        self.folder, self.data = folder, data
        self.where = folder / "blanks.toml"

    def components(self) -> list[Component]:
        components = [
            *all_of(self._component, self.data.get("component", [])),
            *all_of(self._bug_hunt, self.data.get("bug_hunt", [])),
        ]
        all_of(self._refuse_stale, components)
        check_names(str(self.where), [component.name for component in components])
        blanks = [blank.name for component in components for blank in component.blanks]
        check_names(_("{where}, blanks").format(where=self.where), blanks)
        for component in components:
            owner = _("{where}, fillings of {name}").format(where=self.where, name=component.name)
            check_names(owner, [answer.name for answer in component.right])
        return components

    def _component(self, table: dict[str, Any]) -> Component:
        name = table["name"]
        try:
            source = reference_source(name)
        except AuthoringError as error:
            raise AuthoringError(f"{self.where}: {error}") from error
        entries = table["blank"]
        read_blanks = all_of(lambda entry: self._blank(name, source, entry), entries)
        pairs = sorted(zip(read_blanks, entries, strict=True), key=lambda pair: pair[0].span.start)
        blanks = {blank.name: blank for blank, _entry in pairs}
        right, wrong = list[KnownAnswer](), list[KnownAnswer]()
        for blank, entry in pairs:
            for filling in blank.right:
                code = fill(source, [(blank.span, filling)])
                right.append(KnownAnswer(f"{blank.name}: {filling}", name, code, blank=blank.name))
            for misconception in entry.get("wrong", []):
                fillings = misconception["filling"]
                for filling in fillings if isinstance(fillings, list) else [fillings]:
                    code = fill(source, [(blank.span, filling)])
                    wrong.append(_wrong(name, misconception, code, blank.name))
        right += self._right(table, source, blanks)
        for entry in table.get("wrong", []):
            wrong.append(_wrong(name, entry, self._rewritten(name, source, blanks, entry)))
        tables = [*entries, table]
        listed = [entry["name"] for owner in tables for entry in owner.get("wrong", [])]
        owner = _("{where}, misconceptions of {name}").format(where=self.where, name=name)
        check_names(owner, listed)
        released = fill(source, [(blank.span, MARK) for blank, _entry in pairs])
        released = with_names(released, list(blanks))
        return Component(
            name, name, source, released, tuple(blank for blank, _entry in pairs),
            tuple(right), tuple(wrong), forbidden=self._forbidden(table),
        )  # fmt: skip

    def _right(
        self, table: dict[str, Any], source: str, blanks: dict[str, Blank]
    ) -> list[KnownAnswer]:
        """The other right answers that a component or a bug hunt lists as whole codes."""
        name = table["name"]
        return [
            KnownAnswer(entry["name"], name, self._rewritten(name, source, blanks, entry))
            for entry in table.get("right", [])
        ]

    def _refuse_stale(self, component: Component) -> None:
        """Raise AuthoringError for answers that use what nothing defines, or that are no Python.

        They were written for another reference, or misspelled: neither is a misconception.
        """
        defined = set().union(dir(builtins), definitions(), read_and_bound(NOTEBOOK_IMPORTS)[1])
        read, bound = read_and_bound(component.source)
        if not component.is_bug_hunt and (unknown := read - bound - defined):
            raise AuthoringError(
                _("{where}: {name}: the reference uses {names}, which the cell of a notebook does "
                  "not have; it has math, torch, nn, F and the other components"),
                where=self.where, name=component.name, names=", ".join(sorted(unknown)),
            )  # fmt: skip
        defined |= read | bound
        stale = []
        for answer in (*component.right, *component.wrong):
            try:
                read, bound = read_and_bound(answer.source)
            except SyntaxError as error:
                problem = _("is no Python: {error}").format(error=error.msg)
            else:
                # What `says` speaks of is meant: letters of shapes, a name without its self.
                unknown = read - bound - defined - set(re.findall(r"\w+", answer.says))
                names = ", ".join(sorted(unknown))
                problem = _("uses {names}, which nothing defines; was it renamed in the reference?")
                problem = problem.format(names=names) if names else ""
            if problem:
                stale.append(f"{self.where}: {component.name}, {answer.name!r} {problem}")
        if stale:
            raise AuthoringError("\n".join(stale))

    def _blank(self, component: str, source: str, table: dict[str, Any]) -> Blank:
        address = table["address"]
        try:
            span = locate(source, address)
        except AuthoringError as error:
            raise AuthoringError(f"{self.where}: {component}: {error}") from error
        name = table.get("name", address.split(":")[1])
        return Blank(
            name, component, address, span, source[span.start : span.end], tuple(table["hints"]),
            tuple(table.get("right", [])),
        )  # fmt: skip

    def _rewritten(
        self, name: str, source: str, blanks: dict[str, Blank], entry: dict[str, Any]
    ) -> str:
        where = f"{self.where}: {name}, {entry['name']}"
        if "code" in entry:
            return str(entry["code"]).strip("\n")
        unknown = entry.get("fill", {}).keys() - blanks.keys()
        if unknown:
            raise AuthoringError(
                _("{where}: no blank {names}"), where=where, names=", ".join(sorted(unknown))
            )
        fillings = [(blanks[blank].span, text) for blank, text in entry.get("fill", {}).items()]
        return change(fill(source, fillings), entry.get("change", {}), where)

    def _bug_hunt(self, table: dict[str, Any]) -> Component:
        name = table["name"]
        path = self.folder / f"{name}.py"
        if not path.is_file() and "code" not in table:
            raise AuthoringError(
                _("{where}: {name} has neither `code` nor a file {file}"),
                where=self.where, name=name, file=path.name,
            )  # fmt: skip
        source = (table["code"] if "code" in table else read_source(path)).strip("\n")
        broken, wrong = source, []
        for bug in table["bugs"]:
            where, swap = f"{self.where}: {name}, {bug['name']}", {bug["right"]: bug["broken"]}
            broken = change(broken, swap, where)
            wrong.append(_wrong(name, bug, change(source, swap, where)))
        for entry in table.get("wrong", []):
            wrong.append(_wrong(name, entry, self._rewritten(name, source, {}, entry)))
        return Component(
            name, table["defines"], source, broken, (), tuple(self._right(table, source, {})),
            tuple(wrong), tuple(table["hints"]), self._forbidden(table),
        )  # fmt: skip

    def _forbidden(self, table: dict[str, Any]) -> tuple[str, ...]:
        names = tuple(table.get("forbidden", ()))
        for name in names:
            if find(name) is None:
                raise AuthoringError(
                    _("{where}: {owner} forbids {name!r}, which torch does not have"),
                    where=self.where, owner=table["name"], name=name,
                )  # fmt: skip
        return names


def _wrong(component: str, entry: dict[str, Any], code: str, blank: str = "") -> KnownAnswer:
    says, behaves = entry["says"], entry.get("behaves", "")
    return KnownAnswer(entry["name"], component, code, says, blank, behaves)


def all_of(make: Callable[[In], Out], entries: Iterable[In]) -> list[Out]:
    """What is made of each entry. Raises one AuthoringError for all entries that are wrong."""
    made, errors = [], []
    for entry in entries:
        try:
            made.append(make(entry))
        except AuthoringError as error:
            errors.append(str(error))
    if errors:
        raise AuthoringError("\n".join(errors))
    return made


def reference_source(component: str, solutions: Path = SOLUTIONS) -> str:
    """The source of a component. Raises AuthoringError unless it is defined exactly once."""
    places = definitions(solutions).get(component, [])
    if len(places) != 1:
        raise AuthoringError(
            _("the component {component!r} is defined {count} times in {folder}/, expected once"),
            component=component, count=len(places), folder=solutions.name,
        )  # fmt: skip
    return places[0][1]


def definitions(solutions: Path = SOLUTIONS) -> dict[str, list[tuple[Path, str]]]:
    """Each function and class of the reference package, by name: its files and sources there."""
    places: dict[str, list[tuple[Path, str]]] = {}
    for path in sorted(solutions.glob("*.py")):
        for name, source in _defined_in(path.read_text(encoding="utf-8")):
            places.setdefault(name, []).append((path, source))
    return places


def read_and_bound(source: str) -> tuple[set[str], set[str]]:
    """The names that a source reads, and those that it binds."""
    read, bound = set[str](), set[str]()
    for node in ast.walk(parse(source)):
        match node:
            case ast.Name(name, ast.Load()):
                read.add(name)
            case ast.Name(name) | ast.arg(name) | ast.FunctionDef(name) | ast.ClassDef(name):
                bound.add(name)
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
            case ast.alias(name, alias):
                bound.add(alias or name.partition(".")[0])
    return read, bound


@cache
def _defined_in(text: str) -> list[tuple[str, str]]:
    """The functions and classes of a module, with their sources."""
    return [
        (node.name, ast.get_source_segment(text, node) or "")
        for node in parse(text).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
