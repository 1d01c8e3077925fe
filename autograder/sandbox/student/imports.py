"""What imports of the course's packages return in a student's process.

The students' package can be imported, but does nothing except provide stand-ins. The grader and the
solutions cannot be imported.
"""

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import os
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

PACKAGE = "transformer_workbook"


class Quiet:
    """Answers every use with itself: pictures, hints and checks are for the notebook alone."""

    def __getattr__(self, name: str) -> "Quiet":
        return _quiet_attribute(name, self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # As a decorator, return what is decorated.
        if (
            len(args) == 1
            and not kwargs
            and (inspect.isroutine(args[0]) or inspect.isclass(args[0]))
        ):
            return args[0]
        return self

    def __getitem__(self, key: object) -> "Quiet":
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> "Quiet":
        return self

    def __exit__(self, *exception: object) -> None:
        pass


def _quiet_attribute(name: str, quiet: Quiet | None = None) -> Quiet:
    if name.startswith("__"):
        raise AttributeError(name)
    return quiet or Quiet()


class QuietPackage(types.ModuleType):
    """The students' package, in which only `use` does anything; see `serve`."""

    def __init__(self, folder: str):
        super().__init__(PACKAGE)
        self.__path__ = [folder]

    def __getattr__(self, name: str) -> Quiet:
        return _quiet_attribute(name)

    def serve(self, stand_in: Callable[[str], Any]) -> None:
        """Define `use`, which calls `stand_in`.

        That stays in a closure: no attribute leads a student's code to what measures it.
        """

        def use(*names: str, **_: object) -> Any:
            """The stand-ins of components of earlier lessons: one, or a tuple of several.

            Raises WriteThisYourself for any other name.
            """
            stand_ins = tuple(map(stand_in, names))
            return stand_ins[0] if len(stand_ins) == 1 else stand_ins

        vars(self)["use"] = use


def stand_ins_of(lesson: str) -> str:
    """The module with the stand-ins of a lesson, by the Python name of the lesson."""
    return f"{PACKAGE}.lessons.{lesson}.standins"


def lesson_of_stand_ins(module: str) -> str:
    """The lesson whose stand-ins a module holds; empty for any other module."""
    lesson = module.removeprefix(f"{PACKAGE}.lessons.").removesuffix(".standins")
    return lesson if module == stand_ins_of(lesson) and "." not in lesson else ""


class CourseFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Decides what an import of the course's own packages returns.

    Stand-ins are made from the sources in `stand_ins`, never from files: the sandbox hides those.
    All other modules of the students' package are quiet, except while it is `opened`. A stand-in
    without a source raises `not_written`.
    """

    CLOSED = ("autograder", "transformer")

    def __init__(self, course: str):
        self.folder = os.path.join(course, PACKAGE)
        self.stand_ins: dict[str, str] = {}  # sources, by the names of lessons
        self.not_written: type[Exception] = ModuleNotFoundError
        self._open = False
        self._quiet: list[str] = []

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Within this context, the modules of the students' package are the real ones."""
        while self._quiet:
            sys.modules.pop(self._quiet.pop(), None)
        self._open = True
        try:
            yield
        finally:
            self._open = False

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        top = name.partition(".")[0]
        if top in self.CLOSED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if top != PACKAGE:
            return None
        if lesson := lesson_of_stand_ins(name):
            if lesson not in self.stand_ins:
                raise self.not_written(name)
            return importlib.util.spec_from_loader(name, self)
        if self._open:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        if lesson := lesson_of_stand_ins(module.__name__):
            file = f"<stand-ins {lesson}>"
            exec(compile(self.stand_ins[lesson], file, "exec"), vars(module))
        else:
            module.__getattr__ = _quiet_attribute  # type: ignore[method-assign]
            self._quiet.append(module.__name__)
