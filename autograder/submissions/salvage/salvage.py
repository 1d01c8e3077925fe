"""Finds cells in what is no whole notebook: cut off, merged, packed or exported.

A file cannot be read as a notebook for few reasons, and each leaves its cells readable: the upload
broke off, git left its marks of a conflict, a comma was written too much, two files were joined,
the notebook was zipped or exported. Each has a repair, so the student knows what was graded.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from autograder.language import _
from autograder.lesson.which_lesson import STARTED
from autograder.results.remarks import Problem, Remark
from autograder.submissions import read_notebook as notebooks
from autograder.submissions.lean_json import values_at
from autograder.submissions.read_notebook import NotebookAsSubmitted, SubmittedCell

from .exported import of_markdown, of_page, of_script
from .unpack import is_packed, members

_CELL = re.compile(r'\{\s*"(?:cell_type|source|metadata|id|execution_count|attachments|outputs)"')
_CONFLICT = re.compile(r"^<{7}(?: |$)", re.MULTILINE)
_ARCHIVES = {b"Rar!": "RAR", b"7z\xbc\xaf": "7z", b"\xfd7zXZ": "xz", b"BZh": "bzip2"}


@dataclass(frozen=True)
class Salvaged:
    """The cells of a damaged file, and what the student is told about it."""

    notebook: NotebookAsSubmitted
    repairs: tuple[Remark, ...]


def salvage(name: str, content: bytes) -> Iterator[Salvaged]:
    """What can be saved of a file, each way of reading it. Raises Problem where nothing can be.

    The Problem says what the file is, where that is known.
    """
    if is_packed(content):
        for inside, unpacked in members(content):
            repair = Remark("repair", "unpacked", {"file": name, "name": inside})
            yield from (_with(repair, saved) for saved in _of_file(inside, unpacked))
        return
    yield from _of_file(name, content)


def _of_file(name: str, content: bytes) -> Iterator[Salvaged]:
    try:
        yield Salvaged(notebooks.read_notebook(content), ())
        return
    except Problem as problem:
        if problem.remark.key not in ("not_json", "not_notebook"):
            raise
    _refuse_others(content)
    text = _decoded(content)
    if text.lstrip().startswith('"') and '\\"cell_type\\"' in text:
        text = _unquoted(text)
    found = False
    for saved in _ways(name, text):
        if any(cell.kind == "code" for cell in saved.notebook.cells):
            found = True
            yield saved
    if not found:
        raise _what_it_is(text)


def _ways(name: str, text: str) -> Iterator[Salvaged]:
    """Each way to read it as cells."""
    if _CONFLICT.search(text):
        for side in ("ours", "theirs"):
            merged = _one_side(text, side)
            repair = Remark("repair", "conflict", {"file": name})
            try:
                yield Salvaged(notebooks.read_notebook(merged.encode()), (repair,))
            except Problem:
                yield from (_with(repair, saved) for saved in _cells_in(name, merged))
    elif '"cell_type"' in text:
        yield from _cells_in(name, text)
    elif _is_page(text):
        yield _exported(name, text, of_page(text), "page")
    elif "```" in text and name.lower().endswith((".md", ".qmd", ".txt")):
        yield _exported(name, text, of_markdown(text), "markdown")
    elif re.search(r"^(?:def|class) \w+", text, re.MULTILINE):
        yield _exported(name, text, of_script(text), "script")


def _one_side(text: str, side: str) -> str:
    """A text with git's marks of conflicts, with one side (ours, theirs) of each."""
    kept, at = list[str](), "both"
    for line in text.splitlines(keepends=True):
        mark = line[:7]
        if mark == "<" * 7:
            at = "ours"
        elif mark == "|" * 7 and at == "ours":
            at = "base"
        elif line.rstrip() == "=" * 7 and at in ("ours", "base"):
            at = "theirs"
        elif mark == ">" * 7 and at == "theirs":
            at = "both"
        elif at in (side, "both"):
            kept.append(line)
    return "".join(kept)


def _cells_in(name: str, text: str) -> Iterator[Salvaged]:
    """The whole cells of a text that is not JSON as a whole."""
    trees = values_at(text, (match.start() for match in _CELL.finditer(text)), notebooks.CELL)
    cells = [notebooks.cell(tree) for tree in trees if "cell_type" in tree]
    if len(cells) > notebooks.MOST_CELLS:
        raise Problem("too_many_cells", limit=notebooks.MOST_CELLS)
    complete = text.rstrip().endswith("}")
    key = "damaged" if complete else "cut"
    repair = Remark("repair", key, {"file": name, "count": len(cells)})
    yield Salvaged(replace(_notebook(text, cells), is_cut=not complete), (repair,))


def _exported(name: str, text: str, cells: list[SubmittedCell], key: str) -> Salvaged:
    long = any(len(cell.source) > notebooks.LONGEST_SOURCE for cell in cells)
    if long or len(cells) > notebooks.MOST_CELLS:
        cells = []
    return Salvaged(_notebook(text, cells), (Remark("repair", key, {"file": name}),))


def _notebook(text: str, cells: list[SubmittedCell]) -> NotebookAsSubmitted:
    said = STARTED.search(text)
    return NotebookAsSubmitted(tuple(cells), 4, "", said[1] if said else "")


def _with(repair: Remark, saved: Salvaged) -> Salvaged:
    return Salvaged(saved.notebook, (repair, *saved.repairs))


def _decoded(content: bytes) -> str:
    for encoding in ("utf-8-sig", "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ""):
        try:
            return content.decode(encoding) if encoding else content.decode("cp1252", "replace")
        except UnicodeDecodeError:
            continue
    return content.decode("cp1252", "replace")


def _unquoted(text: str) -> str:
    """The text of a notebook that was written as one JSON string."""
    try:
        inside = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return inside if isinstance(inside, str) else text


def _is_page(text: str) -> bool:
    head = text[:2000].lower()
    return "<html" in head or "<!doctype html" in head


def _refuse_others(content: bytes) -> None:
    """Raise Problem for kinds of files that hold no cells, with the name of the kind."""
    if not content.strip():
        raise Problem("empty_file")
    if content.startswith(b"%PDF"):
        raise Problem("pdf")
    for mark, kind in _ARCHIVES.items():
        if content.startswith(mark):
            raise Problem("archive", kind=kind)
    if content.startswith((b"\x89PNG", b"\xff\xd8\xff", b"GIF8")):
        raise Problem("picture")
    if content.startswith((b"{\\rtf", b"\xd0\xcf\x11\xe0")):
        raise Problem("document")


def _what_it_is(text: str) -> Problem:
    if _is_page(text):
        title = re.search(r"<title[^>]*>([^<]{0,200})", text, re.IGNORECASE)
        return Problem("web_page", title=(title[1].strip() if title else "") or "?")
    if '"cell_type"' in text:
        return Problem("not_json", reason=_("no cell in it is whole"))
    return Problem("nothing_left")
