"""Reads the cells of notebooks that were saved as a script.

Nothing marks answers there. The grader finds them by what they define.
"""

import re
from collections.abc import Iterator

from autograder.submissions.notebook_as_submitted import SubmittedCell

# How a script marks its cells: nbconvert and Jupyter in one way, VS Code and Spyder in another.
_MARK = re.compile(r"^# (?:In ?\[[\d ]*\]:?|%%(?P<words>.*))[ \t]*$", re.MULTILINE)
_COURSE = re.compile(r"\bwb\s*\.\s*(?:start|check|finish|hint|progress)\b|transformer_workbook")


def of_script(text: str) -> list[SubmittedCell]:
    """The cells of a script; one for each definition where nothing marks the cells."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    parts = _between_marks(text) if _MARK.search(text) else _statements(text)
    return [cell for cell in parts if not _is_the_courses(cell)]


def _between_marks(text: str) -> Iterator[SubmittedCell]:
    marks = list(_MARK.finditer(text))
    yield from _comments(text[: marks[0].start()])
    ends = [match.start() for match in marks[1:]] + [len(text)]
    for match, end in zip(marks, ends, strict=True):
        part = text[match.end() : end].strip("\n")
        if "[markdown]" in (match["words"] or ""):
            yield from _comments(part)
            continue
        code, below = _code_and_below(part.split("\n"))
        if code.strip():
            yield _code(code.strip("\n"))
        yield from _comments(below)


def _code_and_below(lines: list[str]) -> tuple[str, str]:
    """The code of a cell, and the comments that stand apart below it: text, as nbconvert has it.

    Comments at the code's end stay with it.
    """
    at = len(lines)
    while at > 0 and (not lines[at - 1].strip() or lines[at - 1].startswith("#")):
        at -= 1
    while at < len(lines) and lines[at].strip():
        at += 1
    return "\n".join(lines[:at]), "\n".join(lines[at:])


def _comments(text: str) -> Iterator[SubmittedCell]:
    for block in re.split(r"\n[ \t]*\n", text):
        lines = [line for line in block.split("\n") if line.startswith("#")]
        if lines and not lines[0].startswith(("#!", "# coding", "# -*-")):
            yield from _prose("\n".join(re.sub(r"^# ?", "", line) for line in lines))


def _statements(text: str) -> Iterator[SubmittedCell]:
    """A cell for each definition, and for what stands between; scripts of Colab mark no cells."""
    part: list[str] = []
    lines = iter(text.split("\n"))
    decorated = False

    def done() -> Iterator[SubmittedCell]:
        if any(line.strip() for line in part):
            yield _code("\n".join(part).strip("\n"))
        part.clear()

    for line in lines:
        if line.startswith('"""'):  # a cell of text
            yield from done()
            block = [line[3:]]
            while (
                not block[-1].rstrip().endswith('"""') and (more := next(lines, None)) is not None
            ):
                block.append(more)
            yield from _prose("\n".join(block).strip().removesuffix('"""').replace('\\"', '"'))
            continue
        starts = line.startswith(("def ", "class ", "async def ", "@"))
        inside = not line.strip() or line[0].isspace() or line[0] in "#)]}"
        defines = bool(part) and part[0].startswith(("def ", "class ", "async def ", "@"))
        if (starts and not decorated) or (defines and not inside and not decorated):
            yield from done()
        decorated = line.startswith("@") or (decorated and not starts)
        part.append(line)
    yield from done()


def _is_the_courses(cell: SubmittedCell) -> bool:
    """Whether a cell calls the course rather than defining anything: its first cell, a check."""
    if cell.kind != "code" or not _COURSE.search(cell.source):
        return False
    return not re.search(r"^(?:def|class|async def)\b", cell.source, re.MULTILINE)


def _code(source: str) -> SubmittedCell:
    return SubmittedCell("code", source, "", {})


def _prose(text: str) -> list[SubmittedCell]:
    return [SubmittedCell("markdown", text.strip(), "", {})] if text.strip() else []
