"""A lesson's folder, read and checked: everything else is derived from what is here.

lesson.py    the narrative with its cells, as text (jupytext's percent format)
blanks.toml  components, blanks, hints, misconceptions, alternative right fillings, bug hunts
probes.py    how the lesson's components are called
visible.py   the cases of the checks in the notebook
hidden.py    the tests that earn points
bug_hunt_1.py ...  repaired code of the bug hunts
equivalent.toml  which mutants do the same as the reference, and why
hand_in.toml  where a trained model is handed in beside the notebook: what it earns
"""

import ast
import hashlib
import importlib
import sys
import tomllib
import types
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from transformer_workbook.shared.fence import find
from transformer_workbook.shared.probing import module_name

from .blanks import MARK, AuthoringError, Span, change, fill, locate
from .cases import Case, Draw, Test, check_names
from .hand_in import FILE as HAND_IN
from .hand_in import HandIn, read_hand_in
from .narrative import NarrativeCell, read_narrative

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "autograder" / "lessons"
SOLUTIONS = ROOT / "solutions" / "transformer"
IMPORTS = """\
import math

import torch
from torch import nn
from torch.nn import functional as F
"""
EQUIVALENT = "equivalent.toml"
REQUIRED = {"lesson.py", "blanks.toml", "probes.py", "visible.py", "hidden.py"}


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
class Variant:
    """A component's whole code, written in another way: right, or wrong in a known way."""

    name: str
    component: str
    source: str
    says: str = ""
    blank: str = ""


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
    right: tuple[Variant, ...]
    wrong: tuple[Variant, ...]
    hints: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @property
    def is_bug_hunt(self) -> bool:
        return self.name.startswith("bug_hunt_")

    @cached_property
    def released_lines(self) -> dict[str, str]:
        """The released line of each blank, in the order of the code."""
        place, lines = -1, {}
        for blank in self.blanks:
            place = self.released.index(MARK, place + 1)
            start = self.released.rfind("\n", 0, place) + 1
            lines[blank.name] = self.released[start:].partition("\n")[0].strip()
        return lines


@dataclass(frozen=True)
class Question:
    """A why/how question that is graded by hand; the rubric is the instructor's."""

    name: str
    points: float
    text: str
    rubric: str


@dataclass(frozen=True)
class Lesson:
    """Everything that is known of one lesson."""

    id: str
    title: str
    folder: Path
    due: str = ""
    limit: float = 60.0
    data: dict = field(default_factory=dict, repr=False)
    earlier: tuple["Lesson", ...] = field(default=(), repr=False)
    extra: str = ""  # the optional part of the students' package that it needs

    @property
    def name(self) -> str:
        """The notebook's name: the folder's without its number."""
        return self.id.partition("-")[2]

    @property
    def module(self) -> str:
        return module_name(self.id)

    @cached_property
    def narrative(self) -> list[NarrativeCell]:
        return read_narrative(self.folder / "lesson.py")

    @cached_property
    def components(self) -> dict[str, Component]:
        """The lesson's components in the order of the notebook, bug hunts included."""
        read = _Reader(self)
        return {component.name: component for component in read.components()}

    @cached_property
    def hand_in(self) -> HandIn | None:
        """What is handed in beside the notebook, where anything is."""
        found = read_hand_in(self.folder)
        placed = [cell.name for cell in self.narrative if cell.kind == "hand_in"]
        if placed != ([found.component] if found else []):
            raise AuthoringError(
                f"{self.folder}: lesson.py has hand_in cells for {placed}, {HAND_IN} has "
                f"{found.component if found else 'nothing'}"
            )
        return found

    @cached_property
    def questions(self) -> list[Question]:
        asked = [cell for cell in self.narrative if cell.kind == "question"]
        rubrics = {cell.name: cell.source for cell in self.narrative if cell.kind == "rubric"}
        for cell in asked:
            if not rubrics.get(cell.name, "").strip():
                raise AuthoringError(f"{self.folder / 'lesson.py'}: {cell.name} has no rubric")
        return [Question(cell.name, cell.points, cell.source, rubrics[cell.name]) for cell in asked]

    @property
    def stand_ins(self) -> dict[str, str]:
        """The lesson that each component of this and earlier lessons comes from."""
        return {
            table["name"]: lesson.id
            for lesson in (*self.earlier, self)
            for table in lesson.data.get("component", [])
        }

    @property
    def setup(self) -> str:
        """What runs before the student's cells when they are graded."""
        named = [cell for cell in self.narrative if cell.kind == "code" and cell.name == "setup"]
        return "\n".join([IMPORTS, *(cell.source for cell in named)])

    @cached_property
    def _digest(self) -> str:
        texts = [path.read_bytes() for path in sorted(self.folder.glob("*.py"))]
        return hashlib.sha256(b"\0".join([str(self.folder).encode(), *texts])).hexdigest()[:16]

    @property
    def reference_files(self) -> list[Path]:
        """The files of the reference package that define the lesson's components."""
        defined = _definitions(SOLUTIONS)
        names = [table["name"] for table in self.data.get("component", [])]
        return [path for name in names for path, _ in defined.get(name, [])]

    def visible(self) -> dict[str, list[Case]]:
        """The cases of the checks, by component."""
        cases = self._call("visible", "cases", Draw("visible", self.id))
        for name in self.components:
            if not cases.get(name):
                raise AuthoringError(f"{self.folder / 'visible.py'}: no case for {name!r}")
        self._check_cases("visible.py", cases)
        return cases

    def hidden(self, secret: str) -> dict[str, list[Test]]:
        """The tests, by component, with inputs drawn from the instructor's secret."""
        tests = self._call("hidden", "tests", Draw("hidden", secret, self.id))
        for name in self.components:
            if not tests.get(name):
                raise AuthoringError(f"{self.folder / 'hidden.py'}: no test for {name!r}")
            check_names(f"{self.id}, tests of {name}", [test.name for test in tests[name]])
        cases = {name: [case for test in of for case in test.cases] for name, of in tests.items()}
        self._check_cases("hidden.py", cases)
        return tests

    def points(self) -> dict[str, float]:
        """Points by component, what is handed in included; the same for every secret."""
        return dict(self._points)

    @cached_property
    def _points(self) -> dict[str, float]:
        of_tests = {  # of a secret like any other: drawing cases may take seconds
            name: sum(test.points for test in tests)
            for name, tests in self.hidden("points").items()
        }
        return of_tests | ({self.hand_in.component: self.hand_in.points} if self.hand_in else {})

    def _check_cases(self, file: str, cases: dict[str, list[Case]]) -> None:
        where = self.folder / file
        unknown = cases.keys() - self.components.keys()
        if unknown:
            raise AuthoringError(f"{where}: no component {', '.join(sorted(unknown))}")
        for component, of in cases.items():
            check_names(f"{where}, cases of {component}", [case.name for case in of])
            wrong = {variant.name for variant in self.components[component].wrong}
            for case in of:
                if not hasattr(self._module("probes"), case.probe):
                    raise AuthoringError(
                        f"{where}: case {case.name!r} calls {case.probe!r}, which probes.py "
                        "does not define"
                    )
                if case.control and case.control not in wrong:
                    raise AuthoringError(
                        f"{where}: the control {case.control!r} of case {case.name!r} is no "
                        f"misconception of {component}"
                    )

    def _call(self, module: str, function: str, draw: Draw):
        found = getattr(self._module(module), function, None)
        if found is None:
            raise AuthoringError(f"{self.folder / module}.py: there is no {function}(draw) in it")
        try:
            return found(draw)
        except AuthoringError:
            raise
        except Exception as error:
            raise AuthoringError(
                f"{self.folder / module}.py: {function} raised {type(error).__name__}: {error}"
            ) from error

    def _module(self, name: str):
        """Import one of the lesson's own modules; hidden.py may import from visible.py.

        A folder such as 01-attention cannot be imported by its name, so it gets another one,
        which changes with what is in it: a lesson that was edited is read anew.
        """
        package = f"lesson_{self._digest}"
        if package not in sys.modules:
            sys.modules[package] = types.ModuleType(package)
            sys.modules[package].__path__ = [str(self.folder)]
        try:
            return importlib.import_module(f"{package}.{name}")
        except Exception as error:
            raise AuthoringError(
                f"{self.folder / name}.py: {type(error).__name__}: {error}"
            ) from error


def read_lesson(entry: dict, lessons: Path = LESSONS, earlier: tuple[Lesson, ...] = ()) -> Lesson:
    """Read the lesson that one line of course.toml names. Raises AuthoringError with the place."""
    folder = lessons / entry["folder"]
    if not folder.is_dir():
        raise AuthoringError(f"course.toml names the lesson {entry['folder']!r}, but {folder} "
                             "is no folder")  # fmt: skip
    found = {path.name for path in folder.iterdir() if path.name != "__pycache__"}
    missing = REQUIRED - found
    if missing:
        raise AuthoringError(f"{folder}: {', '.join(sorted(missing))} is missing")
    try:
        data = tomllib.loads((folder / "blanks.toml").read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise AuthoringError(f"{folder / 'blanks.toml'}: {error}") from error
    hunts = {f"{hunt.get('name')}.py" for hunt in data.get("bug_hunt", [])}
    stray = found - REQUIRED - hunts - {HAND_IN, EQUIVALENT}
    if stray:
        raise AuthoringError(f"{folder}: stray file {', '.join(sorted(stray))}")
    return Lesson(
        entry["folder"],
        entry["title"],
        folder,
        str(entry.get("due", "")),
        float(entry.get("limit", 60)),
        data,
        earlier,
        str(entry.get("extra", "")),
    )


class _Reader:
    """Reads the components of one blanks.toml."""

    def __init__(self, lesson: Lesson):
        self.lesson = lesson
        self.where = lesson.folder / "blanks.toml"

    def components(self) -> list[Component]:
        data = self.lesson.data
        self._only(data, {"component", "bug_hunt"}, "the file")
        found = [self._component(table) for table in data.get("component", [])]
        found += [self._bug_hunt(table) for table in data.get("bug_hunt", [])]
        check_names(str(self.where), [component.name for component in found])
        check_names(f"{self.where}, blanks", [blank.name for one in found for blank in one.blanks])
        for one in found:
            check_names(
                f"{self.where}, fillings of {one.name}",
                [variant.name for variant in one.right],
            )
        placed = [cell.name for cell in self.lesson.narrative if cell.kind == "answer"]
        if sorted(placed) != sorted(one.name for one in found):
            raise AuthoringError(
                f"{self.lesson.folder}: lesson.py has answer cells for {placed}, "
                f"blanks.toml has {[one.name for one in found]}"
            )
        return sorted(found, key=lambda one: placed.index(one.name))

    def _component(self, table: dict) -> Component:
        self._only(table, {"name", "forbidden", "blank", "right", "wrong"}, "a component")
        name = self._text(table, "name", "a component")
        try:
            source = reference_source(name)
        except AuthoringError as error:
            raise AuthoringError(f"{self.where}: {error}") from error
        entries = table.get("blank", [])
        pairs = [(self._blank(name, source, entry), entry) for entry in entries]
        pairs.sort(key=lambda pair: pair[0].span.start)
        blanks = tuple(blank for blank, _ in pairs)
        if not blanks:
            raise AuthoringError(f"{self.where}: {name} has no blank")
        if len(blanks) > 5:
            raise AuthoringError(f"{self.where}: {name} has {len(blanks)} blanks, at most 5")
        right, wrong = [], []
        for blank, entry in pairs:
            for filling in blank.right:
                right.append(
                    Variant(f"{blank.name}: {filling}", name,
                            fill(source, [(blank.span, filling)]), blank=blank.name)
                )  # fmt: skip
            for known in entry.get("wrong", []):
                self._only(known, {"name", "filling", "says"}, f"{name}, a wrong filling")
                fillings = known.get("filling")
                for filling in fillings if isinstance(fillings, list) else [fillings]:
                    if not isinstance(filling, str) or not filling.strip():
                        raise AuthoringError(f"{self.where}: {known.get('name')}: empty filling")
                    code = fill(source, [(blank.span, filling)])
                    wrong.append(self._wrong(name, known, code, blank.name))
        by_name = {blank.name: blank for blank in blanks}
        for entry in table.get("right", []):
            self._only(entry, {"name", "fill", "change", "code"}, f"{name}, another right answer")
            code = self._rewritten(name, source, by_name, entry)
            right.append(Variant(self._text(entry, "name", name), name, code))
        for entry in table.get("wrong", []):
            allowed = {"name", "says", "fill", "change", "code"}
            self._only(entry, allowed, f"{name}, a misconception")
            code = self._rewritten(name, source, by_name, entry)
            wrong.append(self._wrong(name, entry, code))
        listed = [*(one for entry in table["blank"] for one in entry.get("wrong", [])),
                  *table.get("wrong", [])]  # fmt: skip
        check_names(f"{self.where}, misconceptions of {name}", [one.get("name") for one in listed])
        released = fill(source, [(blank.span, MARK) for blank in blanks])
        return Component(
            name, name, source, released, blanks, tuple(right), tuple(wrong),
            forbidden=self._forbidden(table, name),
        )  # fmt: skip

    def _blank(self, component: str, source: str, table: dict) -> Blank:
        self._only(table, {"name", "address", "hints", "right", "wrong"}, f"{component}, a blank")
        address = self._text(table, "address", component)
        where = f"{self.where}: {component}"
        try:
            span = locate(source, address)
        except AuthoringError as error:
            raise AuthoringError(f"{where}: {error}") from error
        hints = table.get("hints", [])
        if len(hints) != 3 or not all(isinstance(hint, str) and hint.strip() for hint in hints):
            raise AuthoringError(f"{where}: {address!r} needs three hints, none of them empty")
        name = table.get("name", address.split(":")[1])
        return Blank(
            name, component, address, span, source[span.start : span.end], tuple(hints),
            tuple(table.get("right", [])),
        )  # fmt: skip

    def _rewritten(self, name: str, source: str, blanks: dict, entry: dict) -> str:
        where = f"{self.where}: {name}, {entry.get('name')}"
        if "code" in entry:
            return entry["code"].strip("\n")
        unknown = entry.get("fill", {}).keys() - blanks.keys()
        if unknown:
            raise AuthoringError(f"{where}: no blank {', '.join(sorted(unknown))}")
        if not entry.get("fill") and not entry.get("change"):
            raise AuthoringError(f"{where}: needs one of code, fill, change")
        fillings = [(blanks[blank].span, text) for blank, text in entry.get("fill", {}).items()]
        return change(fill(source, fillings), entry.get("change", {}), where)

    def _wrong(self, component: str, entry: dict, code: str, blank: str = "") -> Variant:
        name = self._text(entry, "name", component)
        return Variant(name, component, code, self._text(entry, "says", name), blank)

    def _bug_hunt(self, table: dict) -> Component:
        name = self._text(table, "name", "a bug hunt")
        known = {"name", "defines", "forbidden", "hints", "bugs", "right", "wrong"}
        self._only(table, known, name)
        path = self.lesson.folder / f"{name}.py"
        if not path.is_file():
            raise AuthoringError(f"{self.where}: {name} has no file {path.name}")
        source = path.read_text(encoding="utf-8").strip("\n")
        hints = table.get("hints", [])
        if len(hints) != 3 or not all(hint.strip() for hint in hints):
            raise AuthoringError(f"{self.where}: {name} needs three hints, none of them empty")
        bugs = table.get("bugs", [])
        if not bugs:
            raise AuthoringError(f"{self.where}: {name} has no bugs")
        broken, wrong = source, []
        for bug in bugs:
            self._only(bug, {"name", "right", "broken", "says"}, f"{name}, a bug")
            where = f"{self.where}: {name}, {bug.get('name')}"
            swap = {bug["right"]: bug["broken"]}
            broken = change(broken, swap, where)
            wrong.append(self._wrong(name, bug, change(source, swap, where)))
        for entry in table.get("wrong", []):
            wrong.append(self._wrong(name, entry, self._rewritten(name, source, {}, entry)))
        right = tuple(
            Variant(self._text(entry, "name", name), name, self._rewritten(name, source, {}, entry))
            for entry in table.get("right", [])
        )
        defines = self._text(table, "defines", name)
        return Component(
            name, defines, source, broken, (), right, tuple(wrong), tuple(hints),
            self._forbidden(table, name),
        )  # fmt: skip

    def _forbidden(self, table: dict, owner: str) -> tuple[str, ...]:
        names = tuple(table.get("forbidden", ()))
        for name in names:
            if find(name) is None:
                raise AuthoringError(
                    f"{self.where}: {owner} forbids {name!r}, which torch does not have"
                )
        return names

    def _text(self, table: dict, key: str, owner: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value.strip():
            raise AuthoringError(f"{self.where}: {owner} has no {key!r}, or an empty one")
        return value

    def _only(self, table: dict, allowed: set[str], owner: str) -> None:
        unknown = table.keys() - allowed
        if unknown:
            raise AuthoringError(
                f"{self.where}: {owner} has {', '.join(sorted(unknown))}; "
                f"known are {', '.join(sorted(allowed))}"
            )


def reference_source(component: str, solutions: Path = SOLUTIONS) -> str:
    """The source of a component of the reference package, by name."""
    found = _definitions(solutions).get(component, [])
    if len(found) != 1:
        raise AuthoringError(
            f"the component {component!r} is defined {len(found)} times in {solutions.name}/, "
            "expected once"
        )
    return found[0][1]


def _definitions(solutions: Path) -> dict[str, list[tuple[Path, str]]]:
    """Where the reference package defines what, by name: the files, and the sources there."""
    found: dict[str, list[tuple[Path, str]]] = {}
    for path in sorted(solutions.glob("*.py")):
        for name, source in _defined_in(path.read_text(encoding="utf-8")):
            found.setdefault(name, []).append((path, source))
    return found


@cache
def _defined_in(text: str) -> list[tuple[str, str]]:
    """The functions and classes of a module, with their sources."""
    return [
        (node.name, ast.get_source_segment(text, node))
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
