"""Reads the cells of notebooks that were exported: as a script, as a page, as Markdown.

Nothing marks the cells there. The grader finds answers by what they define, and in a page, which
keeps the cells' ids, by these.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from autograder.submissions.read_notebook import SubmittedCell

# How a script marks its cells: nbconvert and Jupyter in one way, VS Code and Spyder in another.
_MARK = re.compile(r"^# (?:In ?\[[\d ]*\]:?|%%(?P<words>.*))[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"```+[ \t]*\{?(?:i?python3?|py)\b")
_COURSE = re.compile(r"\bwb\s*\.\s*(?:start|check|finish|hint|progress)\b|transformer_workbook")


def of_script(text: str) -> list[SubmittedCell]:
    """The cells of a script; one for each definition where nothing marks the cells."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    parts = _between_marks(text) if _MARK.search(text) else _statements(text)
    return [cell for cell in parts if not _is_the_courses(cell)]


def of_markdown(text: str) -> list[SubmittedCell]:
    """The cells of a document in Markdown, whose code stands between fences."""
    found, part = list[SubmittedCell](), list[str]()
    in_code = False
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.startswith("```") if in_code else _FENCE.match(line):
            found += [_code("\n".join(part))] if in_code else _prose("\n".join(part))
            in_code, part = not in_code, []
        else:
            part.append(line)
    found += _prose("\n".join(part))
    return [cell for cell in found if not _is_the_courses(cell)]


def of_page(text: str) -> list[SubmittedCell]:
    """The cells of a page as nbconvert and Jupyter write it; empty for any other page."""
    page = _Page()
    page.feed(text)
    page.close()
    return [cell for cell in page.cells if cell.source.strip()]


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


def _code(source: str, id: str = "") -> SubmittedCell:
    return SubmittedCell("code", source, id, {})


def _prose(text: str) -> list[SubmittedCell]:
    return [SubmittedCell("markdown", text.strip(), "", {})] if text.strip() else []


class _Page(HTMLParser):
    """Collects the text of code cells, and that of text cells, which were rendered."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[SubmittedCell] = []
        self._id = ""
        self._kind = ""  # of the cell that is being read
        self._depth = 0  # of divs within it
        self._parts: list[str] = []
        self._in_pre = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        classes = known.get("class", "").split()
        if known.get("id", "").startswith("cell-id="):
            self._id = known["id"].removeprefix("cell-id=")
        if self._kind:
            self._depth += tag == "div"
            self._in_pre = self._in_pre or tag == "pre"
            if self._kind == "markdown" and tag == "br":
                self._parts.append("\n")
        elif tag == "div" and "highlight" in classes and any(c.startswith("hl-") for c in classes):
            self._kind, self._depth = "code", 1
        elif tag == "div" and ("jp-MarkdownOutput" in classes or "text_cell_render" in classes):
            self._kind, self._depth = "markdown", 1

    def handle_endtag(self, tag: str) -> None:
        if not self._kind:
            return
        if tag == "pre":
            self._in_pre = False
        if tag == "div":
            self._depth -= 1
            if self._depth == 0:
                source = "".join(self._parts).strip("\n")
                self.cells.append(SubmittedCell(self._kind, source.replace("¶", ""), self._id, {}))
                self._kind, self._id, self._parts = "", "", []

    def handle_data(self, data: str) -> None:
        if self._kind == "markdown" or (self._kind and self._in_pre):
            self._parts.append(data)
