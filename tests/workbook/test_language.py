"""What people read: its lines fit a notebook, a catalogue translates it, and no text goes round it.

A package that speaks is an entry of PACKAGES; the tests of its sources then hold for it, too.
"""

import ast
import importlib.util
import os
import re
import shutil
import string
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from transformer_workbook.own_code import store
from transformer_workbook.shared.language import say
from transformer_workbook.shared.notebook import NOTEBOOK_IMPORTS

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Package:
    """A package whose texts for people stand under `_` or `ngettext`.

    `left_out` are folders and modules whose texts belong to lessons, or are data that people do not
    read. `no_language` are literals that look like language to `unmarked` and are none.
    """

    folder: Path
    left_out: tuple[str, ...] = ()
    no_language: tuple[str, ...] = ()

    def sources(self) -> Iterator[tuple[str, ast.Module]]:
        for path in sorted(self.folder.rglob("*.py")):
            name = path.relative_to(self.folder).as_posix()
            if not name.startswith(self.left_out):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


PACKAGES = {
    "transformer_workbook": Package(
        ROOT / "course/transformer_workbook",
        left_out=(
            "probes/",  # their words are the lessons'
            "standins/",  # errors are those of the lessons' components
            "shared/evidence.py",  # errors say what is wrong with bytes that a program wrote
            "shared/packing.py",
            "diagnosis/evidence_sketches.py",
            "own_code/paper.py",  # the paper's words, and HTML
            "translation/scenes.py",  # German sentences
            "edits/rules/",  # code, and the names of kinds
        ),
        no_language=(
            "in place",  # a kind of mutant, which equivalent.toml quotes
            # Commands.
            "pip install jupyterlab",
            'pip install "{}{}"',
            "pip install --force-reinstall --no-deps {}",
            # Python's and torch's own words.
            "module {} has no attribute {}",
            "can't allocate memory",
            "without overflow",
            "expected all tensors to be on the same device",
            "expected device",
            "same device",
            ".*Profiler clears events",
            # Names in evidence and in results.json.
            "default dtype",
            "random numbers",
            "tensors on two devices",
            "{}, for all that follows",
            "output in training",
            "output in evaluation",
            "parameters without a gradient",
            "dropouts with another rate",
            "share dropped",
            "each dropped for itself",
            "the others scaled up",
            "chosen, beam",
            # Names of what lessons take out of the translator.
            *("causal mask", "padding mask", "all heads but one", "embedding scale"),
            # Names of arguments, devices, fonts and parts of matplotlib.
            "d_model",
            "DejaVu Sans",
            "Noto Sans CJK KR",
            "Malgun Gothic",
            "Apple SD Gothic Neo",
            "offset points",
            # Names of signatures.
            *(
                "first for all",
                "first right",
                "hides more",
                "is input",
                "kept for dropped",
                "minus input",
                "negative kept",
                "negative lost",
                "no sum",
                "one missing",
                "one too many",
                "only diagonal",
                "only first",
                "only last",
                "other order",
                "other shape",
                "plus input",
                "row factors",
                "rows alike",
                "shows more",
                "some factor",
                "sums along",
            ),
            "axes fraction",
            "upper left",
            "upper right",
            *(NOTEBOOK_IMPORTS, store.PACKAGE_IMPORT),
        ),
    ),
}


def _grader() -> Package:
    from autograder.authoring import publish, release
    from autograder.authoring.prove import notebooks
    from autograder.authoring.site import executed
    from autograder.demo import made_up_class
    from autograder.grading import grade_translator
    from autograder.lesson import course, lesson, notebook
    from autograder.lms import roster
    from autograder.nbgrader import settings
    from autograder.results.remarks import REMARKS
    from autograder.submissions import prose

    return Package(
        ROOT / "autograder",
        left_out=(
            "lessons/",
            "sandbox/student/",  # runs where only the standard library is
            "authoring/reference_package.py",  # writes code
            # What they write is in the course's language, as the lessons are.
            "authoring/front_page.py",
            "authoring/site/pages.py",
        ),
        no_language=(
            *REMARKS["problem"],  # their names
            # Code, and what is in every notebook: in the course's language, whoever runs this.
            *(publish.README, publish.IN_THE_BROWSER, made_up_class.FORGERY),
            *(notebooks.STORE, executed.START_CELL, release.TRANSLATE),
            *(notebook.HEADING, notebook.START_CELL, notebook.START_EXTRA, notebook.INSTALLS),
            *(notebook.INSTALL, notebook.NOT_PUBLISHED, course.OPEN_IN, lesson.TAKES.pattern),
            *(notebook.ENDING, notebook.ANSWER_HERE, notebook.RUBRIC, notebook.BEYOND),
            *(notebook.MODEL, notebook.COMPARE),
            *(
                settings.RESULTS_CONFIG,
                grade_translator.REFERENCE,
                grade_translator.IMPORTS.pattern,
            ),
            *roster.LOOKED_FOR.values(),  # columns, as they are called in files
            "allocate memory",  # torch says it
            # Code, as patterns find it; errors that the module itself catches.
            *(prose.PIECES, "it is too large", "the process has ended"),
            # Columns and values of an LMS's own files, git's commands, names in files.
            *("Points Possible", "    Points Possible", "SIS Login ID", "SIS User ID"),
            *("Full name", "Email address", "ID number", "Maximum Grade", "Grade can be changed"),
            *("Last modified (submission)", "Last modified (grade)", "Submitted for grading"),
            *("{} remote add origin {}.git", "{} push origin {} {}"),
            *("course.toml: points.{}.{}", "course.toml: points.{}", "<!doctype html"),
            *("async def ", r"^(?:def|class|async def)\b"),
            "from autograder.nbgrader.in_kernel import hidden_tests\n"
            'hidden_tests("{}", "{}", globals())',
            'from autograder.nbgrader.in_kernel import handed_in\nhanded_in("{}")',
            # What made-up students write.
            *("return an_undefined_name", "while True:\n    pass", "import os\nos._exit(0)"),
            "Copy of {}.ipynb",
            # Names: of this program, of styles, of SQLite's settings; what nbgrader says.
            *("autograder: {}", "blanks.toml", "bold red"),
            *("PRAGMA quick_check(1)", "No response."),
        ),
    )


if importlib.util.find_spec("nbgrader"):  # students do not install the grader
    PACKAGES["autograder"] = _grader()


# What is printed.


def test_long_lines_are_broken_between_words_and_lines_stay_lines(capsys):
    names = ["PositionwiseFeedForward", "LearnedPositionalEmbedding", "sinusoidal_encoding"] * 3
    say("So far: " + ", ".join(names) + "\n  indented")
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "  indented"
    assert all(len(line) <= 88 for line in lines)
    words = " ".join(lines[:-1]).removeprefix("So far: ").split(", ")
    assert words == names


def test_a_word_that_is_too_long_stays_whole(capsys):
    say("see " + "x" * 120)
    assert capsys.readouterr().out == "see\n" + "x" * 120 + "\n"


# A catalogue takes effect.

TRANSLATIONS = {
    "Nothing called {component} is defined. Run the cell that defines it, and keep its name.": (
        "Es gibt kein {component}."
    ),
    "{component}: {count} of {of} checks passed.": "{component}: {count} von {of} bestanden.",
    "Sinusoidal encoding": "Sinuskodierung",
    "usage: python -m transformer_workbook doctor": "Aufruf: python -m transformer_workbook doctor",
    "No problems found.": "Alles ist gut.",
    "ok": "gut",
}


@pytest.fixture(scope="module")
def translated(tmp_path_factory) -> Path:
    """A folder with a copy of the students' package that has a German catalogue."""
    folder = tmp_path_factory.mktemp("translated")
    package = folder / "transformer_workbook"
    shutil.copytree(
        PACKAGES["transformer_workbook"].folder,
        package,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    catalogue = Catalog("de")
    for english, german in TRANSLATIONS.items():
        catalogue.add(english, german)
    compiled = package / "locale/de/LC_MESSAGES/transformer_workbook.mo"
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as file:
        write_mo(file, catalogue)
    return folder


def speak(folder: Path, *arguments: str, language: str = "de") -> str:
    """What Python prints with the package in `folder`."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={
            **os.environ,
            "PYTHONPATH": str(folder),
            "LANGUAGE": language,
            "PYTHONIOENCODING": "utf-8",
        },
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert not done.stderr, done.stderr
    return done.stdout


SHOWN = """
import transformer_workbook as wb
print(wb.check("scaled_dot_product_attention"))

def scaled_dot_product_attention(*given, **named):
    return 0

print(wb.check("scaled_dot_product_attention"))
print(wb.show.positions(8, 8).figure.axes[0].get_title("left"))
"""


def test_a_catalogue_translates_checks_and_pictures(translated):
    said = speak(translated, "-c", SHOWN)
    assert re.search(r"scaled_dot_product_attention: 0 von \d+ bestanden\.", said)
    assert "Es gibt kein scaled_dot_product_attention." in said
    assert said.splitlines()[-1] == "Sinuskodierung"


def test_a_catalogue_translates_the_doctor(translated):
    lines = speak(translated, "-m", "transformer_workbook", "doctor").splitlines()
    assert lines[-1] == "Alles ist gut."
    assert any(re.match("gut +numpy", line) for line in lines)


@pytest.mark.parametrize(("language", "begins"), [("de", "Aufruf:"), ("C", "usage:")])
def test_the_entrance_speaks_where_no_library_is_installed(translated, language, begins):
    said = speak(translated, "-S", "-m", "transformer_workbook", language=language)
    assert said.startswith(begins)


# No text goes round the catalogue.

MARKS = {"_": 1, "ngettext": 2}  # the number of texts that each takes
# Words that follow each other, also across what is filled in, as in "{} belongs to {}".
PHRASE = re.compile(r"[A-Za-z]{2,}[,;:.!?]?\s+[a-z]{2,}|[A-Z][a-z]+ [A-Za-z]+")
WORD = re.compile(r"[A-Za-z]{2,}")
TAG = re.compile(r"(?<!\?P)<[^<>]*>")
# Whatever these are given is for people, also a single word.
SPEAKING_CALLS = (
    *("print", "say", "annotate", "text", "suptitle"),
    *(f"{name}label" for name in ("set_x", "set_y", "supx", "supy")),
    "set_title",
    *("add_column", "add_row", "add_task", "ask", "echo", "rule", "_fail", "_fault"),
)
SPEAKING_ARGUMENTS = (
    *("title", "label", "xlabel", "ylabel", "x_label", "y_label"),
    *("description", "help", "alt", "note", "caption"),
)


# These fill in what they are given, as `format` does.
FILLING_CALLS = ("AuthoringError", "RunnerFault", "SandboxUnavailable", "WrongUsage", "_fault")


def name_of(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def marked(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS


def literal(node: ast.AST) -> str | None:
    """The text of a string literal, with {} for what an f-string fills in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or "{}" for part in node.values)
    return None


def literals(node: ast.AST, spoken: bool = False) -> Iterator[tuple[ast.AST, str, bool]]:
    """All string literals that no mark holds, and whether each is given to something that speaks.

    Docstrings are left out, and the keys of a table of marked texts.
    """
    text = literal(node)
    if text is not None:
        yield node, text, spoken
    children = list(ast.iter_child_nodes(node))
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    table = isinstance(node, ast.Dict) and all(map(marked, node.values))
    if marked(node) or docstring or table:
        children = []
    elif isinstance(node, ast.JoinedStr):
        children = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    elif isinstance(node, ast.Subscript):
        children, spoken = [node.value, node.slice], False
    elif isinstance(node, ast.Call):
        if ast.unparse(node.func).startswith("LOG."):  # for whoever maintains the program
            return
        speaks = name_of(node) in SPEAKING_CALLS or spoken and name_of(node) == "format"
        yield from literals(node.func, speaks)
        for argument in node.args:
            yield from literals(argument, speaks)
        for keyword in node.keywords:
            yield from literals(keyword.value, keyword.arg in SPEAKING_ARGUMENTS)
        return
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        children, spoken = node.exc.args, True
    elif isinstance(node, ast.Compare):
        spoken = False
    for child in children:
        yield from literals(child, spoken)


def unmarked(tree: ast.AST, no_language: tuple[str, ...] = ()) -> list[str]:
    """The literals for people that no catalogue can translate, each with its line."""
    return [
        f"{node.lineno}: {text!r}"
        for node, text, spoken in literals(tree)
        if text not in no_language
        and (
            PHRASE.search(TAG.sub("", text))
            or (spoken or TAG.search(text))
            and WORD.search(TAG.sub("", text))
        )
    ]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_text_for_people_can_be_translated(name):
    package = PACKAGES[name]
    found = [
        f"{path}:{text}"
        for path, tree in package.sources()
        for text in unmarked(tree, package.no_language)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", PACKAGES)
def test_the_list_of_what_is_no_language_holds_nothing_else(name):
    package = PACKAGES[name]
    there = {text for _path, tree in package.sources() for _node, text, _ in literals(tree)}
    assert set(package.no_language) <= there


PLANTED = (
    "print('Done')",
    "print(f'{count} left')",
    "say('The mask is missing.')",
    "say('None' if mask is None else _('One'))",
    "raise ValueError('expected')",
    "raise ValueError(f'There is no {name}.') from error",
    "raise ValueError('There is no {name}.'.format(name=name))",
    "message = 'There is no mask.'",
    "axes.set_title('Weights')",
    "draw(axes, title='Weights')",
    "axes.set(xlabel='steps' if many else 'step')",
    "MESSAGES = {'missing': 'The mask is missing.'}",
    "html = f'<p style=\"margin:0\">Hello</p>'",
    "html = f'<th>{mask}: {yes}</th><td>no</td>'",
    "parser.add_argument('--out', help='where')",
    "raise WrongUsage('no {lesson}', lesson=name) from error",
    "console.print(f'{count} left', markup=False)",
    "table.add_column('points')",
    "Annotated[Path, typer.Option('--out', help='where')]",
)


@pytest.mark.parametrize("source", PLANTED)
def test_a_text_that_goes_round_the_catalogue_is_found(source):
    assert unmarked(ast.parse(source))


@pytest.mark.parametrize(
    "source",
    (
        "'''A docstring, for those who read code.'''",
        "say(_('The mask is {actual}.').format(came=came))",
        "print(ngettext('One mask', '{count} masks', count).format(count=count))",
        "raise KeyError(name) from error",
        "axes.set_title(_('Weights'), loc='center')",
        "html = f'<p style=\"margin:0 auto\">{hello}</p>'",
        "entry['points'] = data['component']",
    ),
)
def test_what_is_marked_or_no_language_is_not_found(source):
    assert not unmarked(ast.parse(source))


# What is marked can be extracted and filled in.


@pytest.mark.parametrize("name", PACKAGES)
def test_translators_get_every_marked_text(name, tmp_path):
    package = PACKAGES[name]
    command = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "extract"]
    command += ["-F", ROOT / "pyproject.toml", "-o", tmp_path / "all.pot", package.folder]
    subprocess.run(command, check=True)
    with (tmp_path / "all.pot").open("rb") as file:
        extracted = {message.id for message in read_po(file)}
    marks = [node for _path, tree in package.sources() for node in ast.walk(tree) if marked(node)]
    texts = [tuple(text.value for text in node.args[: MARKS[node.func.id]]) for node in marks]
    assert {text if len(text) > 1 else text[0] for text in texts} <= extracted


def misuses(tree: ast.Module) -> list[str]:
    """What is wrong with the marked texts of a module, each with its line."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in filter(marked, ast.walk(tree)):
        texts = node.args[: MARKS[node.func.id]]
        if not texts or any(not isinstance(text, ast.Constant) for text in texts):
            found.append(f"{node.lineno}: not a literal: {ast.unparse(node)}")
            continue
        if any(isinstance(node, ast.JoinedStr) for node in parents_of(node, parents)):
            found.append(f"{node.lineno}: babel does not look into f-strings: {ast.unparse(node)}")
        fields = {field for text in texts for field in fields_of(text.value)}
        filled = filled_in(node, parents)
        if any(not field.isidentifier() for field in fields):
            found.append(f"{node.lineno}: a field without a name: {ast.unparse(node)}")
        if filled is not None and not fields <= filled:
            found.append(f"{node.lineno}: {fields - filled} stay empty: {ast.unparse(node)}")
    found += [f"{node.lineno}: `_` is bound where it is called" for node in rebound(tree)]
    return found


def parents_of(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while node in parents:
        node = parents[node]
        yield node


def fields_of(text: str) -> set[str]:
    """The names of the fields to be filled in."""
    parsed = [field for _text, field, _spec, _conversion in string.Formatter().parse(text)]
    return {re.split(r"[.\[]", field)[0] for field in parsed if field is not None}


def filled_in(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> set[str] | None:
    """What the text's `format` is given; None where that is not to be seen here.

    Either it is called on the text itself, or on the name that the text is assigned to.
    """
    while isinstance(parents[node], ast.IfExp):
        node = parents[node]
    parent = parents[node]
    if isinstance(parent, ast.Attribute) and parent.attr == "format":
        return arguments_of(parents[parent])
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        scope = next(
            one
            for one in parents_of(parent, parents)
            if isinstance(one, ast.FunctionDef | ast.Module)
        )
        calls = [
            call
            for call in ast.walk(scope)
            if isinstance(call, ast.Call)
            and ast.unparse(call.func) == f"{parent.targets[0].id}.format"
            and call.lineno > parent.lineno
        ]
        return arguments_of(min(calls, key=lambda call: call.lineno)) if calls else None
    if isinstance(parent, ast.Call) and name_of(parent) in FILLING_CALLS:
        return arguments_of(parent)
    given = isinstance(parent, ast.Call) and name_of(parent) in ("say", "print")
    return set() if given or isinstance(parent, ast.Return) else None


def arguments_of(call: ast.Call) -> set[str] | None:
    names = {keyword.arg for keyword in call.keywords}
    return None if None in names else names


def rebound(tree: ast.Module) -> Iterator[ast.AST]:
    """Functions that call `_` and bind it, too, as in `for _ in range(3)`."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            within = list(ast.walk(function))
            binds = any(
                isinstance(node, ast.arg) and node.arg == "_"
                or isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Store)
                for node in within
            )  # fmt: skip
            if binds and any(marked(node) and node.func.id == "_" for node in within):
                yield function


@pytest.mark.parametrize("name", PACKAGES)
def test_every_marked_text_is_a_literal_whose_fields_are_filled_in(name):
    found = [f"{path}:{text}" for path, tree in PACKAGES[name].sources() for text in misuses(tree)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    (
        "_(f'no {mask}')",
        "_('no ' + mask)",
        "f'{_(\"no mask\")}'",
        "_(text)",
        "_('no {}').format(mask)",
        "_('no {0}').format(mask)",
        "_('{count} of {total}').format(count=1)",
        "(_('no {mask}') if right else _('no {head}')).format(mask=1)",
        "def f():\n    message = _('no {mask}')\n    raise ValueError(message.format(head=1))",
        "ngettext('one', '{count} masks', n).format(number=n)",
        "raise WrongUsage(_('no {mask}'), head=1)",
        "say(_('no {mask}'))",
        "def f():\n    return _('no {mask}')",
        "def f():\n    for _ in range(3):\n        say(_('Hello'))",
    ),
)
def test_a_misused_mark_is_found(source):
    assert misuses(ast.parse(source))
