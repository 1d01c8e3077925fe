"""A lesson, read and checked: its folder and its probes. Everything else is derived from these.

lesson.py    the narrative with its cells, as text (jupytext's percent format)
blanks.toml  components, blanks, hints, misconceptions, alternative right fillings, bug hunts
visible.py   the cases of the checks in the notebook that no family in blanks.toml has
hidden.py    the tests that earn points, beside those of families
bug_hunt_1.py ...  repaired code of the bug hunts, unless blanks.toml has it
ko.po        the texts in another language, which `make messages` brings up to date
guesses.toml  what is predicted, and likely wrong guesses; only if the lesson has predictions
equivalent.toml  which mutants do the same as the reference, and why
grader.py    where files are handed in beside the notebook: judges them, by .toml and .json files

The probes, how the lesson's components are called, run beside students' code. So they lie in the
students' package, under the lesson's name; a lesson without any has those in `shared/probes.py`.
"""

import ast
import hashlib
import importlib
import importlib.util
import re
import reprlib
import sys
import types
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import transformer_workbook
from autograder.errors import AuthoringError
from autograder.language import _
from transformer_workbook.shared.notebook import NOTEBOOK_IMPORTS
from transformer_workbook.shared.probing import module_name
from transformer_workbook.shared.syntax import parse
from transformer_workbook.shared.words import Words, wording_of

from .author_files import read_toml
from .cases import Case, Draw, Test, check_keys, check_names, watch_first_of_alike
from .cell_code import python_of
from .components import Component, read_components
from .families import Family, read_families
from .hand_in import GRADER, HandIn
from .narrative import NarrativeCell, read_narrative
from .points import number_of_points, weighed
from .translation import ENGLISH, Catalogue

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "autograder" / "lessons"
# What of each lesson runs in the notebook, in folders under the lessons' names.
IN_NOTEBOOK = ROOT / "course" / "transformer_workbook" / "lessons"
PROBES = "probes.py"
# How a lesson's text says how long it takes, in the course's language.
TAKES = re.compile(r"[Ii]t takes about\s+(?:(\d+)\s+minutes|an\s+hour)")
LIMIT = 60.0  # seconds for one submission, where course.toml names none
EQUIVALENT = "equivalent.toml"
GUESSES = "guesses.toml"
CATALOGUE = ".po"  # of another language: ko.po
FIGURES = "figures"  # the folder of scripts that draw its pictures
VISIBLE, HIDDEN = "visible.py", "hidden.py"
REQUIRED = {"lesson.py", "blanks.toml"}
# What a lesson without probes of its own calls its components with.
SHARED_PROBES = Path(transformer_workbook.__path__[0]) / "shared" / PROBES


def _imports(source: str) -> list[str]:
    """The imports of a cell, one a line, but those of the students' package."""
    package = transformer_workbook.__name__
    return [
        ast.unparse(node)
        for node in parse(python_of(source)).body
        if (isinstance(node, ast.Import) and not node.names[0].name.startswith(package))
        or (isinstance(node, ast.ImportFrom) and not (node.module or "").startswith(package))
    ]


@dataclass(frozen=True)
class Question:
    """A why/how question that is graded by hand, by its rubric; `model` may be empty."""

    name: str
    points: float
    text: str
    rubric: str
    model: str = ""


@dataclass(frozen=True)
class Lesson:
    """One lesson, read from `folder` on demand; a property raises AuthoringError where it is wrong.

    `probes` is the file of the lesson's probes, `limit` the seconds for one submission, `data` the
    content of blanks.toml, `extra` the optional part of the students' package that the lesson
    needs, `new_points` what course.toml gives to components and questions in place of the lesson's
    own points (see points.py), `beyond` whether the lesson goes beyond the paper, `builds` what
    students write in it, in a few words.
    """

    id: str
    title: str
    folder: Path
    probes: Path
    due: datetime | None = None
    limit: float = LIMIT
    data: dict[str, Any] = field(default_factory=dict, repr=False)
    earlier: tuple["Lesson", ...] = field(default=(), repr=False)
    extra: str = ""
    new_points: dict[str, Any] = field(default_factory=dict, repr=False)
    beyond: bool = False
    builds: str = ""

    @property
    def minutes(self) -> int:
        """How many minutes the lesson takes, as its text says it; 0 if it does not."""
        prose = " ".join(cell.source for cell in self.narrative if cell.kind == "markdown")
        duration = TAKES.search(prose)
        if not duration:
            return 0
        return int(duration[1] or 60)

    @property
    def name(self) -> str:
        """The notebook's name: the folder's without its number."""
        return self.id.partition("-")[2]

    @property
    def module(self) -> str:
        return module_name(self.id)

    @property
    def probes_module(self) -> str:
        """Where the probes are in the students' package."""
        return "shared.probes" if self.probes == SHARED_PROBES else f"lessons.{self.module}.probes"

    def path(self, language: str = ENGLISH) -> str:
        """Where the student's notebook is, from the root of the repository."""
        folder = "course" if language == ENGLISH else f"course/{language}"
        return f"{folder}/{self.id}/{self.name}.ipynb"

    def catalogue(self, language: str) -> Catalogue:
        """The lesson's texts in another language; in English, which is the source, as they are."""
        return Catalogue(self.folder / f"{language}{CATALOGUE}")

    @cached_property
    def narrative(self) -> list[NarrativeCell]:
        return read_narrative(self.folder / "lesson.py")

    @cached_property
    def components(self) -> dict[str, Component]:
        """The lesson's components in the order of the notebook, bug hunts included."""
        components = {
            component.name: component for component in read_components(self.folder, self.data)
        }
        placed = [cell.name for cell in self.narrative if cell.kind == "answer"]
        if sorted(placed) != sorted(components):
            raise AuthoringError(
                _("{folder}: lesson.py has answer cells for {placed}, blanks.toml has {listed}"),
                folder=self.folder, placed=placed, listed=list(components),
            )  # fmt: skip
        return {name: components[name] for name in placed}

    @cached_property
    def hand_in(self) -> HandIn | None:
        """What is handed in beside the notebook, where anything is."""
        hand_in: HandIn | None = None
        if (self.folder / GRADER).is_file():
            hand_in = self._module(Path(GRADER).stem).hand_in(self.folder)
        placed = [cell.name for cell in self.narrative if cell.kind == "hand_in"]
        if placed != ([hand_in.component] if hand_in else []):
            raise AuthoringError(
                _("{folder}: lesson.py has hand_in cells for {placed}, {file} has {listed}"),
                folder=self.folder, placed=placed, file=GRADER,
                listed=hand_in.component if hand_in else _("nothing"),
            )  # fmt: skip
        return hand_in

    @cached_property
    def questions(self) -> list[Question]:
        asked = [cell for cell in self.narrative if cell.kind == "question"]
        rubrics = {cell.name: cell.source for cell in self.narrative if cell.kind == "rubric"}
        models = {cell.name: cell.source for cell in self.narrative if cell.kind == "model"}
        for cell in asked:
            if not rubrics.get(cell.name, "").strip():
                raise AuthoringError(
                    _("{file}: {name} has no rubric"),
                    file=self.folder / "lesson.py",
                    name=cell.name,
                )
        return [
            Question(
                cell.name,
                self._points_of_question(cell),
                cell.source,
                rubrics[cell.name],
                models.get(cell.name, ""),
            )
            for cell in asked
        ]

    def _points_of_question(self, cell: NarrativeCell) -> float:
        where = f"course.toml: points.{self.id}.{cell.name}"
        return number_of_points(where, self.new_points.get(cell.name, cell.points))

    @property
    def stand_ins(self) -> dict[str, str]:
        """The lesson that each component of this and earlier lessons comes from."""
        return {
            table["name"]: lesson.id
            for lesson in (*self.earlier, self)
            for table in lesson.data.get("component", [])
        }

    def stand_ins_for(self, component: str) -> list[str]:
        """The components of this lesson that are stand-ins where a component is probed.

        They come before it in the lesson: with one that builds on it, it could be answered. Beside
        a bug hunt stand those that its code names.
        """
        names = list(self.components)
        before = [name for name in names[: names.index(component)] if name in self.stand_ins]
        hunt = self.components[component]
        if not hunt.is_bug_hunt:
            return before
        return [name for name in before if re.search(rf"\b{name}\b", hunt.released)]

    @cached_property
    def setup(self) -> str:
        """The code that runs before the student's cells when they are graded.

        No other cell of the notebook runs there, but an answer may use what one of them imports.
        """
        code = [cell for cell in self.narrative if cell.kind == "code"]
        named = [cell.source for cell in code if cell.name == "setup"]
        imports = [line for cell in code if cell.name != "setup" for line in _imports(cell.source)]
        return "\n".join([NOTEBOOK_IMPORTS, *named, *imports])

    @cached_property
    def _digest(self) -> str:
        scripts = [path for path in files_in(self.folder) if path.suffix == ".py"]
        files = [*scripts, self.probes]
        texts = [path.read_bytes() for path in files]
        return hashlib.sha256(b"\0".join([str(self.folder).encode(), *texts])).hexdigest()[:16]

    def visible(self) -> dict[str, list[Case]]:
        """The cases of the checks, by component; drawn once, for that may take seconds."""
        return dict(self._visible)

    @cached_property
    def families(self) -> dict[str, list[Family]]:
        """The families of cases of each component that has some."""
        return read_families(str(self.folder / "blanks.toml"), self.data, self.components)

    @cached_property
    def _visible(self) -> dict[str, list[Case]]:
        cases: dict[str, list[Case]] = self._call(
            "visible", "cases", Draw("visible", self.id), Case
        )
        for name in self.components:
            for family in self.families.get(name, []):
                draw = Draw("visible", self.id, name, family.name)
                cases.setdefault(name, []).extend(family.cases(draw, is_hidden=False))
            self._refuse_none(cases, name, VISIBLE)
        self._check_cases(VISIBLE, cases)
        return {name: watch_first_of_alike(its_cases) for name, its_cases in cases.items()}

    def hidden(self, secret: str) -> dict[str, list[Test]]:
        """The tests, by component, with inputs drawn once from the instructor's secret."""
        if secret not in self._hidden:
            self._hidden[secret] = self._draw_hidden(secret)
        return dict(self._hidden[secret])

    def any_hidden(self) -> dict[str, list[Test]]:
        """The tests with whatever inputs: names and points are the same under any secret."""
        return self.hidden(next(iter(self._hidden), ""))

    @cached_property
    def _hidden(self) -> dict[str, dict[str, list[Test]]]:
        return {}  # by secret

    def _draw_hidden(self, secret: str) -> dict[str, list[Test]]:
        tests: dict[str, list[Test]] = self._call(
            "hidden", "tests", Draw("hidden", secret, self.id), Test
        )
        for name in self.components:
            for family in self.families.get(name, []):
                draw = Draw("hidden", secret, self.id, name, family.name)
                cases = family.cases(draw, is_hidden=True)
                test = Test(family.name, family.points, cases, family.says)
                tests.setdefault(name, []).append(test)
            self._refuse_none(tests, name, HIDDEN)
            owner = _("{lesson}, tests of {name}").format(lesson=self.id, name=name)
            check_names(owner, [test.name for test in tests[name]])
            for test in tests[name]:
                number_of_points(f"{owner}: {test.name}: points", test.points)
                if not test.says:
                    raise AuthoringError(
                        _("{owner}: {test!r} does not say what it tests. Write it for students, "
                          'as the feedback quotes it: says="inputs of many shapes"'),
                        owner=owner, test=test.name,
                    )  # fmt: skip
        of_tests = {
            name: [case for test in its_tests for case in test.cases]
            for name, its_tests in tests.items()
        }
        self._check_cases(HIDDEN, of_tests)
        where = f"course.toml: points.{self.id}"
        questions = [cell.name for cell in self.narrative if cell.kind == "question"]
        check_keys(where, self.new_points, [*self.components, *questions])
        return weighed(where, tests, self.new_points)

    def words(self, probe: str) -> Words:
        """What the evidence of one of the lesson's probes is called in messages."""
        return wording_of(getattr(self._probes(), probe))

    def wordings(self) -> list[Words]:
        """What the evidence of each of the lesson's probes is called."""
        return [table for probe in vars(self._probes()).values() if (table := wording_of(probe))]

    def points(self) -> dict[str, float]:
        """Points by component, what is handed in included; the same for every secret."""
        points = {
            name: sum(test.points for test in tests) for name, tests in self.any_hidden().items()
        }
        return points | ({self.hand_in.component: self.hand_in.points} if self.hand_in else {})

    def _check_cases(self, file: str, cases: dict[str, list[Case]]) -> None:
        where = self.folder / file
        unknown = cases.keys() - self.components.keys()
        if unknown:
            raise AuthoringError(
                _("{where}: no component {names}"), where=where, names=", ".join(sorted(unknown))
            )
        for component, its_cases in cases.items():
            owner = _("{where}, cases of {component}").format(where=where, component=component)
            check_names(owner, [case.name for case in its_cases])
            wrong = {answer.name for answer in self.components[component].wrong}
            for case in its_cases:
                if not hasattr(self._probes(), case.probe):
                    raise AuthoringError(
                        _("{where}: case {case!r} calls {probe!r}, which {probes} does not define"),
                        where=where, case=case.name, probe=case.probe, probes=self.probes,
                    )  # fmt: skip
                if case.control and case.control not in wrong:
                    raise AuthoringError(
                        _("{where}: the control {control!r} of case {case!r} is no misconception "
                          "of {component}"),
                        where=where, control=case.control, case=case.name, component=component,
                    )  # fmt: skip

    def _refuse_none(self, made: dict[str, Any], name: str, file: str) -> None:
        if not made.get(name):
            raise AuthoringError(
                _("{folder}: {name!r} has no cases: give it a family in blanks.toml, or cases in "
                  "{file}"),
                folder=self.folder, name=name, file=file,
            )  # fmt: skip

    def _call(self, module: str, function: str, draw: Draw, kind: type) -> Any:
        file = self.folder / f"{module}.py"
        if not file.is_file():
            return {}
        make = getattr(self._module(module), function, None)
        if make is None:
            raise AuthoringError(
                _("{file}: there is no {function}(draw) in it"), file=file, function=function
            )
        try:
            made = make(draw)
        except Exception as error:
            raise AuthoringError(
                _("{file}: {function} raised {type}: {error}"),
                file=file, function=function, type=type(error).__name__, error=error,
            ) from error  # fmt: skip
        if not isinstance(made, dict) or not all(
            isinstance(entries, list) and all(isinstance(entry, kind) for entry in entries)
            for entries in made.values()
        ):
            raise AuthoringError(
                _("{file}: {function} returned {value}; expected lists of {kind}, by component"),
                file=file, function=function, value=reprlib.repr(made), kind=kind.__name__,
            )  # fmt: skip
        return made

    def _module(self, name: str) -> types.ModuleType:
        """Import one of the lesson's own modules; hidden.py may import from visible.py.

        The folder's name, such as 01-attention, is no module name. The package is called after a
        hash of its content instead, so an edited lesson is imported again.
        """
        package = f"lesson_{self._digest}"
        if package not in sys.modules:
            sys.modules[package] = types.ModuleType(package)
            sys.modules[package].__path__ = [str(self.folder)]
        self._probes()  # visible.py may import from them
        try:
            return importlib.import_module(f"{package}.{name}")
        except Exception as error:
            file = self.folder / f"{name}.py"
            raise AuthoringError(f"{file}: {type(error).__name__}: {error}") from error

    def _probes(self) -> types.ModuleType:
        """The lesson's probes as their file is now, also under their name in the students' package.

        An import by that name alone would find an edited file as it was, and only this
        repository's.
        """
        name, kept = f"transformer_workbook.{self.probes_module}", f"probes_{self._digest}"
        if kept not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, self.probes)
            assert spec and spec.loader
            module = importlib.util.module_from_spec(spec)
            try:
                spec.loader.exec_module(module)
            except Exception as error:
                raise AuthoringError(f"{self.probes}: {type(error).__name__}: {error}") from error
            sys.modules[kept] = module
        sys.modules[name] = sys.modules[kept]
        return sys.modules[kept]


def files_in(folder: Path) -> list[Path]:
    """What stands in a lesson's folder, without what Python, editors and systems put there."""
    left_out = re.compile(r"[.#].*|.*~|__pycache__")
    return sorted(path for path in folder.iterdir() if not left_out.fullmatch(path.name))


def read_lesson(
    entry: dict[str, Any],
    lessons: Path = LESSONS,
    earlier: tuple[Lesson, ...] = (),
    due: datetime | None = None,
    new_points: dict[str, Any] | None = None,
    in_notebook: Path = IN_NOTEBOOK,
) -> Lesson:
    """Read the lesson that one line of course.toml names. Raises AuthoringError with the place.

    `lessons` and `in_notebook` hold the two folders of each lesson.
    """
    folder = lessons / entry["folder"]
    if not folder.is_dir():
        raise AuthoringError(
            _("course.toml names the lesson {name!r}, but {path} is no folder"),
            name=entry["folder"],
            path=folder,
        )
    files = {path.name for path in files_in(folder)}
    missing = REQUIRED - files
    if missing:
        raise AuthoringError(
            _("{folder}: {names} is missing"), folder=folder, names=", ".join(sorted(missing))
        )
    own_probes = in_notebook / module_name(entry["folder"]) / PROBES
    data = read_toml(folder / "blanks.toml")
    hunts = {f"{hunt.get('name')}.py" for hunt in data.get("bug_hunt", [])}
    of_grader = {name for name in files if name == GRADER or name.endswith((".toml", ".json"))}
    stray = files - REQUIRED - hunts - {VISIBLE, HIDDEN, EQUIVALENT, FIGURES, GUESSES}
    stray -= of_grader if GRADER in files else set()
    stray -= {name for name in files if Path(name).suffix == CATALOGUE}
    if stray:
        raise AuthoringError(
            _("{folder}: stray file {names}"), folder=folder, names=", ".join(sorted(stray))
        )
    return Lesson(
        entry["folder"],
        entry["title"],
        folder,
        own_probes if own_probes.is_file() else SHARED_PROBES,
        due,
        float(entry.get("limit", LIMIT)),
        data,
        earlier,
        str(entry.get("extra", "")),
        new_points or {},
        bool(entry.get("beyond", False)),
        entry.get("builds", ""),
    )
