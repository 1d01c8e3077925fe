"""Plans which files students' code sees: Python and its libraries, and nothing of the grader."""

import contextlib
import importlib.util
import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

from .student.confinement.root import View

# The parts of a system that Python and its libraries need. Most of /etc is left out: the names of
# users and machines are private.
SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store",
    "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime",
)  # fmt: skip
# Folders in which nbgrader stores submissions.
EXCHANGES = (
    "/usr/local/share/nbgrader",
    "/usr/share/nbgrader",
    "/usr/local/share/jupyter/nbgrader",
)


def plan_view(visible: Iterable[str], hidden: Iterable[str]) -> View:
    """The steps, in order, that make `visible` paths visible and `hidden` ones not.

    A step is ("show", path) or ("hide", path). A hidden path below a visible one is hidden, and a
    visible one below that is shown again: a virtual environment within a repository, for example.
    Paths that do not exist are left out.
    """
    actions = {}
    for path in (*SYSTEM, *visible):
        if os.path.exists(path):
            for name in (os.path.realpath(path), *_links_on_the_way(path)):
                actions[name] = "show"
    for path in (*EXCHANGES, *hidden):
        if os.path.exists(path):
            actions.setdefault(os.path.realpath(path), "hide")
    plan: dict[str, str] = {}
    for path in sorted(actions, key=lambda path: (path.count("/"), path)):
        above = next((plan[str(p)] for p in Path(path).parents if str(p) in plan), "hide")
        if actions[path] != above or (path in SYSTEM and os.path.islink(path)):
            plan[path] = actions[path]
    return [(action, path) for path, action in plan.items()]


def _links_on_the_way(path: str) -> Iterator[str]:
    """Each link that a path leads through, none of them named through another link."""
    whole = Path(os.path.abspath(path))
    for place in (whole, *whole.parents):
        if place.is_symlink():
            folder = os.path.realpath(place.parent)
            yield os.path.join(folder, place.name)
            yield from _links_on_the_way(os.path.join(folder, os.readlink(place)))


def library_folders() -> list[str]:
    """The folders of installed libraries, without what an editable install adds to `sys.path`."""
    folders = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    with contextlib.suppress(AttributeError):
        folders += site.getsitepackages()
    return list(dict.fromkeys(path for path in folders if os.path.isdir(path)))


def python_folders() -> list[str]:
    """The folders of this Python and of the libraries installed for it."""
    return [sys.base_prefix, sysconfig.get_path("stdlib"), *library_folders()]


def secret_folders() -> list[str]:
    """The folders of the grader, the solutions and the tests, and the user's home."""
    folders = [str(Path.home())]
    for package in ("autograder", "transformer", "nbgrader"):
        spec = importlib.util.find_spec(package)
        folders += spec.submodule_search_locations or [] if spec else []
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").exists():
        folders.append(str(checkout))
    return folders
