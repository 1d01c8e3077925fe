"""Looks into the code of one student, for the report on a class.

The report has these functions called in a process that may be killed, one student at a time: code
that takes too long to look into costs its own rows, and nobody else's.
"""

import ast
import contextlib
import difflib
import io
import keyword
import re
import tokenize
from collections.abc import Sequence

from autograder.lesson.blanks import MARK
from autograder.submissions.cell_code import parsed

MOST_LINES = 6  # of an example
MOST_TOKENS = 5_000  # of one student that are compared


def blanks(
    source: str, released: Sequence[tuple[str, str]], right: Sequence[Sequence[str]]
) -> dict[str, list[str]]:
    """The blanks that code leaves `open`, and those that it fills as is known to be `right`.

    `released` has the name and the released line of each blank, `right` its right fillings.
    """
    lines = {line.strip() for line in source.splitlines()}
    left_open = [name for name, line in released if line in lines]
    return {"open": left_open, "right": _right(source, released, right)}


def _right(
    source: str, released: Sequence[tuple[str, str]], right: Sequence[Sequence[str]]
) -> list[str]:
    lines = {"".join(line.partition("  #")[0].split()) for line in source.splitlines()}
    found, place, before = [], 0, ""
    for (name, line_of_blank), fillings in zip(released, right, strict=True):
        place = place + 1 if line_of_blank == before else 0
        before = line_of_blank
        around = ["".join(text.split()) for text in line_of_blank.partition("  #")[0].split(MARK)]
        for text in fillings:
            gaps = [".+"] * (len(around) - 1)
            gaps[place] = re.escape("".join(text.split()))
            fits = re.escape(around[0]) + "".join(
                gap + re.escape(after) for gap, after in zip(gaps, around[1:], strict=True)
            )
            if any(re.fullmatch(fits, line) for line in lines):
                found.append(name)
                break
    return found


def example(source: str, reference: str) -> str:
    """The lines of a student's code that are not the reference's, with nothing that tells whose.

    Comments and docstrings are left out, and so are texts that the course does not have.
    """
    tree, right_tree = parsed(source), parsed(reference)
    if tree is None or right_tree is None:
        return ""
    anonymous = ast.unparse(_WithoutTexts(reference).visit(tree)).splitlines()
    right = ast.unparse(_WithoutTexts(reference).visit(right_tree)).splitlines()
    blocks = difflib.SequenceMatcher(None, right, anonymous, autojunk=False).get_opcodes()
    changed = [line for tag, _i, _j, a, b in blocks if tag != "equal" for line in anonymous[a:b]]
    lines = [line for line in changed if line.strip() and MARK not in line]
    shift = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    shown = [line[shift:] for line in lines[:MOST_LINES]]
    return "\n".join(shown + ["…"] * (len(lines) > MOST_LINES))


class _WithoutTexts(ast.NodeTransformer):
    """Hides texts that the course does not have, as they may say who wrote them; and docstrings."""

    def __init__(self, known: str):
        self.known = known

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if isinstance(node.value, str) and node.value not in self.known:
            return ast.Constant("…")
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None
        self.generic_visit(node)
        return node


def texts_of(sources: Sequence[str], prose: Sequence[str]) -> dict[str, list[list[str]]]:
    """The tokens of each source, and the words of each text and of the sources' comments.

    Variables are all called alike, whatever the student called them.
    """
    return {
        "code": [tokens(source)[:MOST_TOKENS] for source in sources],
        "prose": [words(text)[:MOST_TOKENS] for text in (*prose, *map(comments, sources))],
    }


def tokens(source: str) -> list[str]:
    """The tokens of code with its variables called alike; as they stand if it cannot be parsed."""
    tree = parsed(source)
    text = ast.unparse(_renamed(tree)) if tree else re.sub(r"#.*", "", source)
    return re.findall(r"\w+|[^\w\s]+", text)


def _renamed(tree: ast.Module) -> ast.Module:
    own = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in own:
            node.id = "v"
    return tree


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def comments(source: str) -> str:
    """The comments of code, as a text; whatever follows a # if it cannot be parsed.

    Of code that is no Python, tokenize looks at every character again and again.
    """
    found = re.findall("#.*", source)
    if parsed(source):
        with contextlib.suppress(tokenize.TokenError, SyntaxError):
            tokens = [*tokenize.generate_tokens(io.StringIO(source).readline)]
            found = [token.string for token in tokens if token.type == tokenize.COMMENT]
    return "\n".join(text.lstrip("# ") for text in found)


def is_plain(run: Sequence[str]) -> bool:
    """Whether a run of tokens has hardly a word of its own."""
    names = [token for token in run if token.isidentifier() and not keyword.iskeyword(token)]
    return len(set(names)) < 2
