"""Analyses the code of one student, for the report on a class.

The report calls these functions in a process that may be killed, one student at a time. So code
that takes too long to analyse is missing from the report, and no other student's is.
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
from autograder.lesson.cell_code import parsed
from transformer_workbook.diagnosis.finding_sentences import blanks_left_open

MOST_LINES = 6  # of an example
MOST_TOKENS = 5_000  # of one student that are compared


def blanks(
    source: str, released: Sequence[tuple[str, str]], right: Sequence[Sequence[str]]
) -> dict[str, list[str]]:
    """The blanks that code leaves `open`, and those whose filling is known to be `right`.

    `released` has the name and the released line of each blank, `right` its right fillings.
    """
    return {
        "open": blanks_left_open(source, dict(released)),
        "right": _right(source, released, right),
    }


def _right(
    source: str, released: Sequence[tuple[str, str]], right: Sequence[Sequence[str]]
) -> list[str]:
    """The blanks with a right filling, line by line: of two blanks in a line one may be right.

    So it is not `written_right` of the check, which compares whole statements.
    """
    lines = {"".join(line.partition("  #")[0].split()) for line in source.splitlines()}
    names, place, before = [], 0, ""
    for (name, line_of_blank), fillings in zip(released, right, strict=True):
        place = place + 1 if line_of_blank == before else 0
        before = line_of_blank
        around = ["".join(text.split()) for text in line_of_blank.partition("  #")[0].split(MARK)]
        for text in fillings:
            patterns = [".+"] * (len(around) - 1)
            patterns[place] = re.escape("".join(text.split()))
            fits = re.escape(around[0]) + "".join(
                pattern + re.escape(after)
                for pattern, after in zip(patterns, around[1:], strict=True)
            )
            if any(re.fullmatch(fits, line) for line in lines):
                names.append(name)
                break
    return names


def example(source: str, reference: str) -> str:
    """The lines of a student's code that differ from the reference, without the author's texts.

    Comments and docstrings are left out, and so are strings that the course does not have.
    """
    tree, right_tree = parsed(source), parsed(reference)
    if tree is None or right_tree is None:
        return ""
    anonymous = ast.unparse(_WithoutStrings(reference).visit(tree)).splitlines()
    right = ast.unparse(_WithoutStrings(reference).visit(right_tree)).splitlines()
    blocks = difflib.SequenceMatcher(None, right, anonymous, autojunk=False).get_opcodes()
    changed = [line for tag, _i, _j, a, b in blocks if tag != "equal" for line in anonymous[a:b]]
    lines = [line for line in changed if line.strip() and MARK not in line]
    shift = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    shown = [line[shift:] for line in lines[:MOST_LINES]]
    return "\n".join(shown + ["…"] * (len(lines) > MOST_LINES))


class _WithoutStrings(ast.NodeTransformer):
    """Hides strings that are not in the reference (they may name the author), and docstrings."""

    def __init__(self, reference: str):
        self.reference = reference

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if isinstance(node.value, str) and node.value not in self.reference:
            return ast.Constant("…")
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None
        self.generic_visit(node)
        return node


def answer_tokens(sources: Sequence[str], prose: Sequence[str]) -> dict[str, list[list[str]]]:
    """The tokens of each source, and the words of each text and of the sources' comments.

    All variables get the same name, so that renaming them does not matter.
    """
    return {
        "code": [tokens(source)[:MOST_TOKENS] for source in sources],
        "prose": [words(text)[:MOST_TOKENS] for text in (*prose, *map(comments, sources))],
    }


def tokens(source: str) -> list[str]:
    """The tokens of code, with one name for all variables; unchanged if it cannot be parsed."""
    tree = parsed(source)
    text = ast.unparse(_renamed(tree)) if tree else re.sub(r"#.*", "", source)
    return re.findall(r"\w+|[^\w\s]+", text)


def _renamed(tree: ast.Module) -> ast.Module:
    variables = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in variables:
            node.id = "v"
    return tree


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def comments(source: str) -> str:
    """The comments of code, as a text; everything after a # if it cannot be parsed.

    On text that is not Python, tokenize scans each character many times.
    """
    texts = re.findall("#.*", source)
    if parsed(source):
        with contextlib.suppress(tokenize.TokenError, SyntaxError):
            tokens = [*tokenize.generate_tokens(io.StringIO(source).readline)]
            texts = [token.string for token in tokens if token.type == tokenize.COMMENT]
    return "\n".join(text.lstrip("# ") for text in texts)


def is_plain(run: Sequence[str]) -> bool:
    """Whether a run of tokens has fewer than two different names."""
    names = [token for token in run if token.isidentifier() and not keyword.iskeyword(token)]
    return len(set(names)) < 2
