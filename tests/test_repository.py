"""The repository itself: what it holds, what it must not say, whether its links lead anywhere."""

import ast
import json
import re
import subprocess
import unicodedata
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from git_files import ROOT, tracked

# What the repository may hold at most, in lines; blank lines and docstrings count. A change that
# goes over a budget takes something out. Where an aim stands behind a number, the number is what
# is reached so far: it only falls.
BUDGETS = {
    # autograder/ and the students' package without lessons, benchmarks/
    "machinery": 35_000,
    # what runs in its notebook, and draws its figures
    "what belongs to one lesson": 9_000,
    # draws Figure 1 and other pictures of several, trains a translator, judges one
    "scripts beside the lessons": 1_040,
    # reads catalogues, brings them up to date, applies them
    "the course in other languages": 600,
    "tests": 31_000,
    "the corpus of answers": 12_000,
    "CONTRIBUTING.md": 200,
    "Unreleased in CHANGELOG.md": 60,
    "the longest module": 650,  # of the machinery
}

# A person's folder, except those that services give to everybody.
HOME_FOLDER = re.compile(
    r"(?<![\w.])/(?:home|Users)/(?!jovyan\b|student\b|you\b|user\b)[A-Za-z]\w*"
)

# Where packages come from is the user's choice; only PyTorch's CPU build has its address here.
PYTORCH_CPU = "download.pytorch.org/whl/cpu"
REGISTRY = re.compile(
    r"""\b(?:[\w-]+\.)*(?:
        pypi\.org | pythonhosted\.org | pypi\.nvidia\.com | anaconda\.(?:org|com|cloud)
      | npmjs\.(?:org|com) | yarnpkg\.com | artifactory[\w.-]* | jfrog\.io
      | download\.pytorch\.org(?!/whl/cpu\b)
    )\b""",
    re.VERBOSE,
)
INDEX_OPTION = re.compile(
    r"--(?:extra-)?index-url[ =]+(\S+)|--find-links[ =]+(\S+)|(file:///\w\S*)"
)


@cache
def texts() -> dict[str, str]:
    """Every tracked text, but for this file, which names what it looks for."""
    found = {}
    for name in tracked():
        if ROOT / name != Path(__file__).resolve():
            raw = (ROOT / name).read_bytes()
            if b"\0" not in raw[:8192]:
                found[name] = raw.decode("utf-8", errors="replace")
    return found


def places(pattern: re.Pattern) -> list[str]:
    return [
        f"{name}:{number}: {match.group()}"
        for name, text in texts().items()
        for number, line in enumerate(text.splitlines(), 1)
        for match in pattern.finditer(line)
    ]


def test_license():
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("MIT License")
    assert "the authors of Transformer, blank by blank" in text


def test_no_folder_of_one_machine_is_named():
    assert places(HOME_FOLDER) == []
    if len(ROOT.parts) > 2:  # "/src" and the like would be found in other words
        assert places(re.compile(re.escape(str(ROOT)) + r"(?![\w-])")) == []


def test_no_package_registry_is_named():
    assert places(REGISTRY) == []


def test_packages_come_from_nowhere_else():
    wrong = [place for place in places(INDEX_OPTION) if PYTORCH_CPU not in place]
    assert wrong == []


def test_what_is_ignored_is_not_tracked():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--ignored", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert listed.stdout == ""


# Links in Markdown

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s+<?(\S+?)>?\s*$", re.MULTILINE)
CODE = re.compile(r"^(`{3,}|~{3,}).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
ANCHOR = re.compile(r"<a\s+(?:id|name)=[\"']([^\"']+)")


def anchors(text: str) -> set[str]:
    """The names that GitHub gives to headings, and JupyterLab's (blanks become hyphens only)."""
    names = set(ANCHOR.findall(text))
    for heading in HEADING.findall(re.sub(r"^(`{3,}|~{3,}).*?^\1", "", text, flags=re.M | re.S)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        names.add(plain.strip().replace(" ", "-"))
        kept = [
            c for c in plain.strip().lower() if c in " -_" or unicodedata.category(c)[0] in "LN"
        ]
        names.add("".join(kept).replace(" ", "-"))
    return names


def markdown(path: Path) -> str:
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


def dead_links(path: Path) -> list[str]:
    text = CODE.sub("", markdown(path))
    dead = []
    for target in LINK.findall(text) + DEFINITION.findall(text):
        parts = urlsplit(target)
        if parts.scheme or parts.netloc or "{" in target:
            continue  # an address outside, an attachment, or a template's slot
        where = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if ROOT not in where.parents or not where.exists():
            dead.append(target)
        elif not parts.fragment or where.suffix not in (".md", ".ipynb"):
            continue
        elif unquote(parts.fragment) not in anchors(markdown(where)):
            dead.append(target)
    return dead


def test_links_between_files_resolve():
    # A lesson's narrative becomes a notebook elsewhere; its links are tried there.
    names = [
        name
        for name in tracked()
        if name.endswith((".md", ".ipynb")) and not name.startswith("autograder/lessons/")
    ]
    dead = {name: links for name in names if (links := dead_links(ROOT / name))}
    assert dead == {}


# Lessons

# Where code names a lesson all the same, and why.
NAMES_A_LESSON = {
    "autograder/cli.py": "an example in the help",
    "autograder/authoring/new_lesson.py": "an example of a name",
    "course/transformer_workbook/__init__.py": "students call the functions of all lessons by wb",
    "autograder/authoring/site/build.py": "the site's first page shows some answers",
    "autograder/authoring/site/translator.py": "the site's first page has the translator",
    "autograder/authoring/site/real_runs.py": "asks what lesson 11 trains on",
}


def lessons_named(source: str, ids: set[str]) -> set[str]:
    """The lessons that a module's code imports, or names in a text that is no docstring."""
    tree = ast.parse(source)
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    said = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            said += [node.value] if id(node) not in docstrings else []
        elif isinstance(node, ast.ImportFrom):
            said += [f"{node.module or ''}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            said += [alias.name for alias in node.names]
    folders = {id[3:].replace("-", "_") for id in ids} | {"number_words"}
    pattern = "|".join([*sorted(ids), rf"lessons[./](?:{'|'.join(sorted(folders))})\b"])
    return {name for text in said for name in re.findall(pattern, text)}


def test_the_machinery_names_no_lesson():
    ids = {path.name for path in (ROOT / "autograder/lessons").iterdir() if path.name[0].isdigit()}
    named = {
        name
        for name in tracked()
        if name.startswith(("autograder/", "course/transformer_workbook/"))
        and name.endswith(".py")
        and "/lessons/" not in name
        if lessons_named((ROOT / name).read_text(encoding="utf-8"), ids)
    }
    assert named == NAMES_A_LESSON.keys()


# Files and names in the guides

PATH = re.compile(
    r"(?<![\w./-])((?:autograder|benchmarks|binder|course|docs|solutions|tests)/[\w./-]*\w)"
)
IDENTIFIER = re.compile(r"`(\w+)`(?: and `(\w+)`)? in `([\w./-]+)`")
# An example of the guides, and what nbgrader writes.
NOT_TRACKED = (
    "course/00-toy",
    "course/transformer_workbook/lessons/toy/probes.py",
    "autograder/lessons/00-toy",
    "solutions/transformer/rms_norm.py",
    "autograder/submitted",
)


def guides() -> list[str]:
    return [name for name in tracked() if re.fullmatch(r"docs/[^/]+\.md|[A-Z]+\.md", name)]


def test_files_that_the_guides_name_are_there():
    missing = {
        f"{name}: {path}"
        for name in guides()
        for path in PATH.findall(texts()[name])
        if "/NN-" not in path and not path.startswith(NOT_TRACKED) and not (ROOT / path).exists()
    }
    assert missing == set()


def test_names_that_the_guides_place_in_a_file_are_there():
    missing = set()
    for guide in guides():
        for *names, path in IDENTIFIER.findall(texts()[guide]):
            sources = [
                text
                for name, text in texts().items()
                if name.startswith(path) or name.endswith(f"/{path}")
            ]
            for name in filter(None, names):
                if not any(re.search(rf"\b{name}\b", text) for text in sources):
                    missing.add(f"{guide}: {name} in {path}")
    assert missing == set()


def test_modules_that_a_package_lists_are_there():
    """A list in a package's docstring says what its modules hold, by their names in backticks."""
    missing = set()
    for path in (ROOT / name for name in tracked() if name.endswith("/__init__.py")):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        _before, _dash, listed = docstring.partition("\n- `")
        present = {file.stem for file in path.parent.rglob("*")}
        named = set(re.findall(r"`([a-z_]\w*)`", f"`{listed}"))
        missing |= {f"{path.parent.name}: {name}" for name in named - present}
    assert not missing


# Budgets

PACKAGE = "course/transformer_workbook/"
OF_A_LESSON = re.compile(rf"{PACKAGE}lessons/.*\.py|autograder/lessons/[^/]+/figures/.*\.py")
BESIDE_LESSONS = re.compile(r"autograder/lessons/(?:[^/]+|[^/]+/grader)\.py")

OTHER_LANGUAGES = (
    "autograder/authoring/catalogues.py",
    "autograder/authoring/guides.py",
    "autograder/authoring/site/links.py",
    "autograder/lesson/translation.py",
)


def lines_of(name: str) -> int:
    return len((ROOT / name).read_bytes().splitlines())


def budget_of(name: str) -> str | None:
    """The budget that a tracked file counts for."""
    if name.startswith("tests/corpus/"):
        return "the corpus of answers"
    if not name.endswith(".py"):
        return None
    if OF_A_LESSON.fullmatch(name):
        return "what belongs to one lesson"
    if BESIDE_LESSONS.fullmatch(name):
        return "scripts beside the lessons"
    if name.startswith("tests/"):
        return "tests"
    if name in OTHER_LANGUAGES:
        return "the course in other languages"
    is_machinery = name.startswith(("autograder/", PACKAGE, "benchmarks/"))
    return "machinery" if is_machinery and not name.startswith("autograder/lessons/") else None


def unreleased() -> list[str]:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return changes.partition("## Unreleased\n")[2].partition("\n## ")[0].splitlines()


def spent() -> dict[str, tuple[int, str]]:
    """What each budget is spent on, in lines, and where most of it went."""
    files: dict[str, dict[str, int]] = {}
    for name in tracked():
        if budget := budget_of(name):
            files.setdefault(budget, {})[name] = lines_of(name)

    def largest(lines: dict[str, int]) -> str:
        return ", ".join(sorted(lines, key=lines.__getitem__, reverse=True)[:5])

    found = {budget: (sum(lines.values()), largest(lines)) for budget, lines in files.items()}
    module = max(files["machinery"], key=files["machinery"].__getitem__)
    found["the longest module"] = (files["machinery"][module], module)
    found["CONTRIBUTING.md"] = (lines_of("CONTRIBUTING.md"), "what the code says itself")
    found["Unreleased in CHANGELOG.md"] = (len(unreleased()), "what no user can notice")
    return found


@pytest.mark.parametrize("budget", BUDGETS)
def test_nothing_is_larger_than_its_budget(budget):
    lines, where = spent()[budget]
    over = lines - BUDGETS[budget]
    assert over <= 0, (
        f"{budget}: {lines:,} lines, which is {over:,} more than the {BUDGETS[budget]:,} that "
        f"BUDGETS in tests/test_repository.py allows (tracked files, blank lines and docstrings "
        f"too). Take out what is no longer needed; look first at {where}."
    )
