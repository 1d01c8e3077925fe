"""Derives notebooks, evidence and texts from the lessons, or compares them with the files."""

import contextlib
import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from autograder.errors import AuthoringError
from autograder.language import _
from autograder.lesson.calls import check_calls
from autograder.lesson.components import definitions
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import IN_NOTEBOOK, PROBES, ROOT, Lesson
from autograder.lesson.notebook import instructor_notebook, student_notebook, to_bytes
from autograder.sandbox.job import RunnerFault
from autograder.sandbox.runner import Runner, RunnerPool

from . import catalogues, figures, front_page, record_lesson
from .found_address import with_found_address
from .reference_package import reference_package

OF_NOTEBOOKS = ("course", "course/[a-z][a-z]")  # have a folder for each lesson
UNDER_ITS_NAME = ("autograder/lessons", *OF_NOTEBOOKS)
MODULES = IN_NOTEBOOK.relative_to(ROOT).as_posix()
OF_A_LESSON = (PROBES, "recorded.json")  # a folder there without these is of several lessons


def derive(course: Course, lesson: Lesson) -> dict[str, bytes]:
    """All files derived from one lesson but its evidence: content by path from the root."""
    check_calls(lesson, [name for other in course.lessons for name in other.stand_ins])
    files = {
        lesson.path(): to_bytes(student_notebook(course, lesson)),
        f"autograder/source/{lesson.id}/{lesson.name}.ipynb": to_bytes(
            instructor_notebook(course, lesson)
        ),
        _recorded(lesson, "json"): record_lesson.catalogue(lesson, course.model_answers),
        **figures.derive(lesson),
    }
    for language in catalogues.languages_of(course, lesson):
        translated = student_notebook(course, lesson, language=language)
        catalogue = lesson.catalogue(language)
        files |= {
            lesson.path(language): to_bytes(translated),
            _recorded(lesson, f"{language}.json"): record_lesson.catalogue(
                lesson, course.model_answers, catalogue.say
            ),
            **figures.derive(lesson, catalogue),
        }
    return files


def _recorded(lesson: Lesson, suffix: str) -> str:
    return f"{MODULES}/{lesson.module}/recorded.{suffix}"


def derive_course(course: Course, root: Path = ROOT) -> dict[str, bytes]:
    """The derived files that belong to no single lesson."""
    index, in_languages = f"{MODULES}/index", dict[str, bytes]()
    for language in catalogues.begun(course):
        in_languages |= {f"{index}.{language}.json": record_lesson.index(course, language)}
        in_languages |= catalogues.compiled(language)
        in_languages |= figures.derive_map(course, language)
    return {
        f"{index}.json": record_lesson.index(course),
        **in_languages,
        "solutions/transformer/__init__.py": reference_package(),
        **figures.derive_map(course),
        **front_page.derive(course, root),
    }


def build(
    course: Course,
    lessons: list[Lesson],
    runners: list[Runner],
    root: Path = ROOT,
    tell: Callable[[str], None] = lambda text: None,
) -> list[str]:
    """Write all derived files of `lessons`, and return the paths of those that changed.

    Each runner works on one lesson at a time. Raises AuthoringError that names the lesson.
    """
    changed = []
    for path, content in _derive_all(course, lessons, runners, root, tell):
        file = root / path
        if not _holds(file, content):
            changed.append(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    return changed


def compare(
    course: Course,
    lessons: list[Lesson],
    root: Path = ROOT,
    tell: Callable[[str], None] = lambda text: None,
) -> list[str]:
    """The derived files, tracked ones alone, that differ from what is there, or are stray.

    Of the evidence, whether it is of these cases and misconceptions: `prove` judges by it.
    """
    derived, holds = derive_course(course, root), {}
    for lesson in lessons:
        with _naming(lesson):
            derived |= derive(course, lesson)
        evidence = _recorded(lesson, "safetensors.gz")
        holds[evidence] = record_lesson.is_of(_bytes_of(root / evidence), lesson)
        tell(lesson.id)
    holds |= {path: content == _bytes_of(root / path) for path, content in derived.items()}
    differing = [path for path in holds if _is_committed(path) and not holds[path]]
    if len(lessons) == len(course.lessons):
        differing += [path for path in _derived_here(root) if path not in holds]
    return differing


def _is_committed(path: str) -> bool:
    """Whether a derived file is the course's; instructor notebooks hold solutions, and are not."""
    return not path.startswith("autograder/")


def _bytes_of(file: Path) -> bytes:
    return file.read_bytes() if file.is_file() else b""


def _holds(file: Path, content: bytes) -> bool:
    """Whether a file has the content; evidence may differ within the test results' tolerance."""
    present = _bytes_of(file)
    return present == content or (
        file.suffix == ".gz" and record_lesson.says_the_same(present, content)
    )


def _derive_all(
    course: Course,
    lessons: list[Lesson],
    runners: list[Runner],
    root: Path,
    tell: Callable[[str], None],
) -> Iterator[tuple[str, bytes]]:
    runner_pool = RunnerPool(runners)

    def derive_next(lesson: Lesson) -> dict[str, bytes]:
        try:
            with _naming(lesson), runner_pool.runner() as runner:
                evidence = record_lesson.record(lesson, runner)
                return derive(course, lesson) | {_recorded(lesson, "safetensors.gz"): evidence}
        finally:
            tell(lesson.id)

    with ThreadPoolExecutor(len(runners)) as pool:
        for files in pool.map(derive_next, lessons):
            yield from files.items()
    yield from derive_course(course, root).items()  # last: not of a lesson that cannot be derived


@contextlib.contextmanager
def _naming(lesson: Lesson) -> Iterator[None]:
    try:
        yield
    except (AuthoringError, RunnerFault) as error:
        raise AuthoringError(f"{lesson.id}: {error}") from error


def leftovers(course: Course, root: Path = ROOT) -> list[Path]:
    """Folders of no lesson of the course, and files of the reference of which none builds a part.

    They are known by their names, so nothing is derived.
    """
    ids = {lesson.id for lesson in course.lessons}
    modules = {lesson.module for lesson in course.lessons}
    built = {
        table["name"] for lesson in course.lessons for table in lesson.data.get("component", [])
    }
    named = {path for home in UNDER_ITS_NAME for path in root.glob(f"{home}/[0-9][0-9]-*/")}
    probed = {path.parent for file in OF_A_LESSON for path in root.glob(f"{MODULES}/*/{file}")}
    defined: dict[Path, set[str]] = {}
    for name, places in definitions(root / "solutions" / "transformer").items():
        for path, _source in places:
            defined.setdefault(path, set()).add(name)
    return [
        *sorted(path for path in named if path.name not in ids and any(_files_in(path))),
        *sorted(path for path in probed if path.name not in modules),
        *(path for path, names in defined.items() if not names & built),
    ]


def _derived_here(root: Path) -> list[str]:
    """The derived files that lie in course/."""
    folders = [path for home in OF_NOTEBOOKS for path in root.glob(f"{home}/[0-9][0-9]-*")]
    folders += root.glob(f"{MODULES}/*/figures")
    candidates = [path for folder in folders for path in _files_in(folder)]
    candidates += root.glob(f"{MODULES}/*/recorded.*")
    return [path.relative_to(root).as_posix() for path in candidates]


def _files_in(folder: Path) -> Iterator[Path]:
    """The files in a folder, without what Jupyter and Python put there."""
    for path in folder.rglob("*"):
        if path.is_file() and not {".ipynb_checkpoints", "__pycache__"} & {*path.parts}:
            yield path


def build_command(names: list[str], check: bool = False, console: Console | None = None) -> int:
    """The command: derive, or with `check` only compare; 1 if something differs."""
    console = console or Console()
    course = read_course()
    lessons = [course.lesson(name) for name in names] or list(course.lessons)
    if left := leftovers(course) if check else []:
        for stray in left:
            message = _("{path}: left from a lesson that course.toml does not name")
            console.print(message.format(path=stray.relative_to(ROOT)), soft_wrap=True)
        console.print(_("Run `autograder remove-lesson NN-name`, or add the lesson's line."))
        return 1
    with contextlib.ExitStack() as stack:
        count = min(os.cpu_count() or 1, len(lessons), 4)
        runners = [stack.enter_context(Runner()) for _number in range(0 if check else count)]
        progress = stack.enter_context(Progress(console=console, transient=True))
        task = progress.add_task(_("lessons"), total=len(lessons))
        count_done = itertools.count(1)

        def tell(lesson: str) -> None:
            progress.update(task, advance=1)
            message = _("derived: {lesson} ({count} of {all})")
            message = message.format(lesson=lesson, count=next(count_done), all=len(lessons))
            console.print(message, highlight=False)

        if check:
            catalogues.tell_stale(course, lessons, console)
            paths = compare(course, lessons, tell=tell)
        else:
            paths = build(course, lessons, runners, tell=tell)
    message = _("differs: {path}") if check else _("written: {path}")
    for path in filter(_is_committed, paths):
        console.print(message.format(path=path), highlight=False, soft_wrap=True)
    if check and paths:
        console.print(_("Run `autograder build` and commit what it writes."))
    elif at := ("" if check or course.repository else with_found_address(course, ROOT).repository):
        console.print(_("For links to Colab and Binder in README.md and the notebooks, write into "
                        "autograder/course.toml: repository = \"{address}\"").format(address=at),
                      highlight=False, markup=False, soft_wrap=True)  # fmt: skip
    return 1 if check and paths else 0
