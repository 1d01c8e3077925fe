"""The places that name versions agree: two pyproject.toml, two environment.yml, constraints.txt."""

import json
import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version
from the_course import COURSE

ROOT = Path(__file__).resolve().parents[2]
CONDA_FILES = ["environment.yml", "binder/environment.yml"]

# conda-forge's names for what PyPI calls otherwise.
PYPI_NAME = {"pytorch": "torch", "pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}
# What conda environments have for installing the course, or for Python itself.
TOOLS = {"python", "pip", "setuptools"}


def project(path: str) -> dict:
    return tomllib.loads((ROOT / path).read_text())["project"]


def requirements(lines: list[str]) -> dict[str, SpecifierSet]:
    parsed = [Requirement(line) for line in lines]
    return {canonicalize_name(one.name): one.specifier for one in parsed}


def constraints() -> dict[str, SpecifierSet]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return requirements([line for line in lines if line and not line.startswith("#")])


def pinned(name: str) -> Version:
    (only,) = constraints()[name]
    assert only.operator == "==", f"{name} is not pinned exactly"
    return Version(only.version)


def conda(path: str) -> dict:
    loaded = yaml.safe_load((ROOT / path).read_text())
    assert isinstance(loaded, dict), f"{path} is no mapping"
    return loaded


def conda_lines(path: str) -> list[str]:
    return [line for line in conda(path)["dependencies"] if isinstance(line, str)]


def conda_requirements(path: str) -> dict[str, SpecifierSet]:
    """The lines in the terms of PyPI. `name=1.2` is conda's way to say `name ==1.2.*`."""
    lines = [re.sub(r"^([\w-]+)=([\d.]+)$", r"\1 ==\2.*", line) for line in conda_lines(path)]
    return {PYPI_NAME.get(name, name): specs for name, specs in requirements(lines).items()}


def course_requirements() -> dict[str, SpecifierSet]:
    course = project("course/pyproject.toml")
    return requirements(
        course["dependencies"] + course["optional-dependencies"]["translation"],
    )


@pytest.mark.parametrize("path", CONDA_FILES)
def test_conda_reads_every_line(path):
    from rattler import MatchSpec

    for line in conda_lines(path):
        assert MatchSpec(line, strict=True).name is not None


@pytest.mark.parametrize("path", CONDA_FILES)
def test_conda_brings_what_the_course_asks_for(path):
    """All of it, with the same bounds: the course is then installed without dependencies."""
    have = conda_requirements(path)
    for name, specs in course_requirements().items():
        assert have.get(name) == specs, f"{name} in {path}"

    root = requirements(project("pyproject.toml")["dependencies"])
    for name in have.keys() - TOOLS:
        assert have[name] == root[name], f"{name} in {path}"


def test_instructors_and_students_ask_for_the_same():
    root = requirements(project("pyproject.toml")["dependencies"])
    for name, specs in course_requirements().items():
        assert root.get(name) == specs, name
    assert str(root["nbgrader"]) == "==0.9.6"


def test_what_was_tried_is_what_is_asked_for():
    root = project("pyproject.toml")
    groups = root["dependencies"], *root["optional-dependencies"].values()
    lines = [line for group in groups for line in group if not line.startswith(root["name"])]
    asked = [requirements(lines), course_requirements(), *map(conda_requirements, CONDA_FILES)]
    for group in asked:
        for name, specs in group.items():
            if name not in ("python", "pip"):
                assert pinned(name) in specs, f"{name} {pinned(name)} does not fit {specs}"


def test_pythons_agree():
    root, course = (
        SpecifierSet(project(path)["requires-python"])
        for path in ("pyproject.toml", "course/pyproject.toml")
    )
    assert root == course
    for python in ("3.11", "3.12", "3.13"):
        assert python in root
        assert python in conda_requirements("environment.yml")["python"]
    for line in re.findall(r"python: (\[.*\])", (ROOT / ".github/workflows/check.yml").read_text()):
        assert all(python in root for python in json.loads(line))
    (binder,) = conda_requirements("binder/environment.yml")["python"]
    assert binder.operator == "==" and binder.version.removesuffix(".*") in root


def test_what_is_pinned_runs_on_debians_python_3_11():
    tried = constraints()
    for one in distributions():
        if tried.get(canonicalize_name(one.name)) == SpecifierSet(f"=={one.version}"):
            assert "3.11.2" in SpecifierSet(one.metadata.get("Requires-Python") or ""), one.name


def test_the_dev_container_installs_as_the_guide_says_and_opens_lesson_00():
    made = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    guide = (ROOT / "docs/students.md").read_text()
    (lines,) = re.findall(r"\*\*Linux\*\*\n\n```\n(.*?)\n\S+jupyter lab", guide, re.DOTALL)
    assert made["postCreateCommand"].split(" && ") == lines.splitlines()
    first = COURSE.lessons[0]
    opened = made["customizations"]["codespaces"]["openFiles"]
    assert opened == [f"course/{first.id}/{first.name}.ipynb"] and (ROOT / opened[0]).is_file()
    python = made["image"].removeprefix("mcr.microsoft.com/devcontainers/python:")
    assert python in SpecifierSet(project("course/pyproject.toml")["requires-python"])
