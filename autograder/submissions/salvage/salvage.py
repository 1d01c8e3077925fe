"""Finds cells in what is no whole notebook: cut off, merged, packed or a script.

A file cannot be read as a notebook for few reasons, and each leaves its cells readable: the upload
broke off, git left its marks of a conflict, a comma was written too much, two files were joined,
the notebook was zipped or saved as a script. Each has a repair, so the student knows what was
graded.
"""

import contextlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from autograder.language import _
from autograder.lesson.which_lesson import STARTED
from autograder.results.remarks import Problem, Remark
from autograder.results.safe_names import plain
from autograder.submissions import notebook_as_submitted as notebooks
from autograder.submissions.notebook_as_submitted import NotebookAsSubmitted, SubmittedCell

from ..archives import is_archive
from .scripts import of_script
from .unpack import members

_CELL = re.compile(r'\{\s*"(?:cell_type|source|metadata|id|execution_count|attachments|outputs)"')
MOST_FAILURES = 30  # objects of a damaged text; each may take as long as the whole text
_STRING_OR_COMMA = re.compile(r'("(?:[^"\\]++|\\.)*+")|,(?=\s*[\]}])', re.DOTALL)
_DEFINITION = re.compile(r"^(?:def|class) \w+", re.MULTILINE)
_FENCE = re.compile(r"^```", re.MULTILINE)
_CONFLICT = re.compile(r"^<{7}(?: |$)", re.MULTILINE)
_ARCHIVES = {b"Rar!": "RAR", b"7z\xbc\xaf": "7z"}


@dataclass(frozen=True)
class Salvaged:
    """The cells of a damaged file, and what the student is told about it."""

    notebook: NotebookAsSubmitted
    repairs: tuple[Remark, ...]


def salvage(name: str, content: bytes) -> Iterator[Salvaged]:
    """What can be saved of a file, each way of reading it. Raises Problem where nothing can be.

    The Problem says what the file is, where that is known.
    """
    if is_archive(io.BytesIO(content)):
        for inside, unpacked in members(content):
            repair = Remark("repair", "unpacked", {"file": name, "name": inside})
            yield from (_with(repair, saved) for saved in _of_file(inside, unpacked))
        return
    yield from _of_file(name, content)


def _of_file(name: str, content: bytes) -> Iterator[Salvaged]:
    try:
        yield Salvaged(notebooks.parsed(content), ())
        return
    except Problem as problem:
        if problem.remark.key not in ("not_json", "not_notebook"):
            raise
    _refuse_others(content)
    text = _decoded(content)
    if text.lstrip().startswith('"') and '\\"cell_type\\"' in text:
        text = _unquoted(text)
    is_saved = False
    for saved in _ways(name, text):
        if any(cell.kind == "code" for cell in saved.notebook.cells):
            is_saved = True
            yield saved
    if not is_saved:
        raise _what_it_is(text)


def _ways(name: str, text: str) -> Iterator[Salvaged]:
    """Each way to read it as cells."""
    if _CONFLICT.search(text):
        for side in ("ours", "theirs"):
            merged = _one_side(text, side)
            repair = Remark("repair", "conflict", {"file": name})
            try:
                yield Salvaged(notebooks.parsed(merged.encode()), (repair,))
            except Problem:
                yield from (_with(repair, saved) for saved in _cells_in(name, merged))
    elif '"cell_type"' in text:
        yield from _cells_in(name, text)
    elif not (_is_page(text) or _FENCE.search(text)) and _DEFINITION.search(text):
        yield _script(name, text)


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
    try:
        cells = [notebooks.cell(tree) for tree in _objects_in(text) if "cell_type" in tree]
    except RecursionError as error:
        raise Problem("too_deep") from error
    if len(cells) > notebooks.MOST_CELLS:
        raise Problem("too_many_cells", limit=notebooks.MOST_CELLS)
    complete = text.rstrip().endswith("}")
    key = "damaged" if complete else "cut"
    repair = Remark("repair", key, {"file": name, "count": len(cells)})
    yield Salvaged(replace(_notebook(text, cells), is_cut=not complete), (repair,))


def _objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The whole objects of a text that may be cells; a comma too much is accepted in them.

    Raises Problem for a text that is too damaged, RecursionError for objects nested too deeply.
    """
    decoder, end, failures = json.JSONDecoder(), 0, 0
    for match in _CELL.finditer(text):
        if match.start() < end:
            continue
        try:
            tree, end = decoder.raw_decode(text, match.start())
            yield tree
        except ValueError as error:
            failures += 1
            if failures > MOST_FAILURES:
                raise Problem("not_json", reason=plain(str(error))[:200]) from error
            with contextlib.suppress(ValueError):
                yield decoder.raw_decode(_without_commas(text[match.start() :]))[0]


def _without_commas(text: str) -> str:
    """A text without the commas that stand before the end of a list or an object."""
    return _STRING_OR_COMMA.sub(lambda match: match[1] or "", text)


def _script(name: str, text: str) -> Salvaged:
    cells = of_script(text)
    long = any(len(cell.source) > notebooks.LONGEST_SOURCE for cell in cells)
    if long or len(cells) > notebooks.MOST_CELLS:
        cells = []
    return Salvaged(_notebook(text, cells), (Remark("repair", "script", {"file": name}),))


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
    if _FENCE.search(text):
        return Problem("markdown")
    return Problem("nothing_left")
