"""Shows small tensors as grids, actual beside expected, and says where large ones differ.

A grid is a dict of plain values, so that it can be saved as JSON: `caption`, `head` (the labels of
the columns), `rows` (a label and its cells each) and `legend`, the sentences below the grid. A cell
is its text, a word for it where the text is a sign alone, and whether it is marked.
"""

import html
import math
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

import torch
from torch import Tensor

from ..shared.language import N_, _
from ..shared.words import Words, phrase
from .compare import Finding, Pair

Grid = dict[str, Any]
_Cell = list[Any]
_Rows = list[list[float]]  # of a tensor, or a list of lists
_Write = Callable[[float], tuple[str, str]]  # see `_entry`

SMALL = 64  # entries; a tensor with fewer is shown whole
MOST_AXES = 6  # the course has 4; indices of many more would not fit on a line
_MARK, _ANY, _NONE = "≠", "·", "–"
_SQUARES = N_("■ is True, □ is False.")
_WIDTH = 88  # characters of a line of text
_FORMATS = (".3f", ".5f", ".4g", ".6g", ".9g", ".17g")


def grids(
    finding: Finding,
    hidden: bool = False,
    words: Words | None = None,
    actual: str = N_("{name}: returned"),
) -> list[Grid]:
    """The actual and the expected value as a grid each; none where no small value can be shown.

    With `hidden`, only the actual value is shown. The marks of a boolean tensor would give away the
    expected one, so only the first stays. Captions use the `words` of the probe, or without them
    the names of the evidence; `actual` is the caption of the actual value.
    """
    pair, name = finding.pair, _title(finding.name, words)
    if pair is None:
        return []
    if isinstance(pair.expected, list):
        return [] if hidden else _grids_of_lists(name, pair)
    if not (_is_small(pair.actual) and _is_small(pair.expected)):
        return []
    wrong, tells_all = pair.wrong, hidden and pair.actual.dtype == torch.bool
    if wrong is not None and tells_all:
        wrong = wrong & (wrong.flatten().cumsum(0).reshape(wrong.shape) == 1)
    write = _writer(pair.actual, pair.expected, pair.wrong)
    caption = pair.other and name or _(actual).format(name=name)
    shown = [_grid(caption, pair.actual, wrong, None, write)]
    if tells_all and wrong is not None:
        shown[0]["legend"] = [
            _(_SQUARES),
            _("{sign} marks the first that differs.").format(sign=_MARK),
        ]
    nothing_to_compare = pair.judged is not None and not pair.judged.any()
    if pair.other or not (hidden or nothing_to_compare):
        title = pair.other and _title(pair.other, words)
        caption = title or _("{name}: expected").format(name=name)
        shown.append(_grid(caption, pair.expected, wrong, pair.judged, write))
    return shown


def _title(name: str, words: Words | None) -> str:
    noun = phrase(name, words).noun if words is not None else ""
    return noun[:1].upper() + noun[1:] or name


def _is_small(value: object) -> TypeGuard[Tensor]:
    """Whether a value is a tensor with few entries, and such as can be looked at."""
    if not isinstance(value, Tensor) or value.layout != torch.strided or value.is_meta:
        return False
    return value.dim() <= MOST_AXES and 0 < value.numel() < SMALL


def _grid(
    caption: str, tensor: Tensor, wrong: Tensor | None, judged: Tensor | None, write: _Write
) -> Grid:
    """One tensor, its last axis from left to right; each row is named by its other indices."""
    rows = tensor.reshape(-1, tensor.shape[-1] if tensor.dim() else 1)
    # Where every entry differs, marks tell nothing.
    all_differ = wrong is not None and wrong.numel() > 1 and bool(wrong.all())
    marked = _per_entry(rows, None if all_differ else wrong, tensor, False)
    counts = _per_entry(rows, judged, tensor, True)
    cells = [
        [
            [*(write(value) if ok else (_ANY, _("any"))), bad and ok]
            for value, bad, ok in zip(row, is_wrong, is_judged, strict=True)
        ]
        for row, is_wrong, is_judged in zip(rows.tolist(), marked, counts, strict=True)
    ]
    head = [str(column) for column in range(rows.shape[1])] if tensor.dim() else []
    return {
        "caption": f"{caption} {tuple(tensor.shape)}",
        "head": head,
        "rows": [
            [label, line] for label, line in zip(_labels(tensor.shape[:-1]), cells, strict=True)
        ],
        "legend": _legend(cells, tensor.dtype == torch.bool)
        + ([_("All entries differ.")] if all_differ else []),
    }


def _per_entry(
    rows: Tensor, mask: Tensor | None, tensor: Tensor, default: bool
) -> list[list[bool]]:
    if mask is None:
        mask = torch.full(tensor.shape, default)
    entries: list[list[bool]] = mask.expand(tensor.shape).reshape(rows.shape).tolist()
    return entries


def _labels(shape: torch.Size) -> list[str]:
    """The indices of each row: "[0, 2]"; a tensor of one axis has one row without a label."""
    places: Iterable[Tensor] = torch.cartesian_prod(*map(torch.arange, shape)) if shape else []
    return [str(place.reshape(-1).tolist()) for place in places] or [""]


def _legend(rows: list[list[_Cell]], is_mask: bool) -> list[str]:
    cells = [cell for row in rows for cell in row]
    parts = [_(_SQUARES)] if is_mask else []
    if any(text == _ANY for text, _word, _bad in cells):
        parts.append(_("{sign}: here any finite number will do.").format(sign=_ANY))
    if any(bad for *_cell, bad in cells):
        parts.append(_("{sign} marks what differs.").format(sign=_MARK))
    return parts


def _writer(actual: Tensor, expected: Tensor, wrong: Tensor | None) -> _Write:
    """How to write the entries of both tensors: briefly, but so that different ones differ."""
    unlike: list[tuple[float, float]] = []
    if wrong is not None:
        pairs = zip(actual[wrong].tolist(), expected[wrong].tolist(), strict=True)
        unlike = [(a, b) for a, b in pairs if a != b]
    for form in _FORMATS:
        if all(_number(a, form) != _number(b, form) for a, b in unlike):
            break
    return lambda value: _entry(value, form)


def _entry(value: float, form: str) -> tuple[str, str]:
    """The text of an entry, and a word for it where the text is a sign."""
    if isinstance(value, bool):
        return ("■", _("True")) if value else ("□", _("False"))
    return _number(value, form), ""


def _number(value: float, form: str) -> str:
    """A number in that format; very large and very small ones in scientific notation."""
    if isinstance(value, complex):
        return f"{value:.3g}"
    if not isinstance(value, float) or not math.isfinite(value):
        return str(value)[:24]
    if form.endswith("f") and abs(value) >= 1e5:
        form = ".4g"
    text = f"{value:{form}}"
    return text.removeprefix("-") if float(text) == 0 else text


# Lists of numbers, which may be of unlike lengths.


def _grids_of_lists(name: str, pair: Pair) -> list[Grid]:
    actual, expected = _rows_of(pair.actual), _rows_of(pair.expected)
    if not actual or not expected:
        return []
    if not all(
        len(rows) < SMALL and 0 < sum(map(len, rows)) < SMALL for rows in (actual, expected)
    ):
        return []
    width = max(len(row) for row in (*actual, *expected))
    captions = (_("{name}: returned"), _("{name}: expected"))
    return [
        _grid_of_rows(caption.format(name=name), rows, other_rows, width)
        for caption, rows, other_rows in zip(
            captions, (actual, expected), (expected, actual), strict=True
        )
    ]


def _rows_of(value: object) -> _Rows:
    """A list of numbers as one row, a list of such lists as rows; none of anything else."""
    rows: list[Any] = [value]
    if isinstance(value, list) and any(isinstance(row, list) for row in value):
        rows = value
    is_numbers = all(isinstance(row, list) and all(map(_is_number, row)) for row in rows)
    return rows if is_numbers else []


def _is_number(value: object) -> bool:
    # Python refuses to write integers of thousands of digits.
    return isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**18)


def _grid_of_rows(caption: str, rows: _Rows, other_rows: _Rows, width: int) -> Grid:
    cells = []
    for index, row in enumerate(rows):
        other_row = other_rows[index] if index < len(other_rows) else []
        line = [
            [_number(value, ".6g"), "", place >= len(other_row) or other_row[place] != value]
            for place, value in enumerate(row)
        ]
        missing = [[_NONE, _("nothing"), True] for _place in range(len(row), len(other_row))]
        padding = [["", "", False] for _place in range(max(len(row), len(other_row)), width)]
        cells.append(line + missing + padding)
    labels = [f"[{index}]" for index in range(len(rows))] if len(rows) > 1 else [""]
    return {
        "caption": caption,
        "head": [str(column) for column in range(width)],
        "rows": [[label, line] for label, line in zip(labels, cells, strict=True)],
        "legend": _legend(cells, False),
    }


# Grids as text and as HTML.


def as_text(shown: list[Grid]) -> str:
    """The grids in lines of text, side by side where they fit; the legend once, below."""
    if not shown:
        return ""
    blocks = [_lines(grid) for grid in shown]
    widths = [max(map(len, block)) for block in blocks]
    if sum(widths) + 4 * (len(blocks) - 1) <= _WIDTH:
        high = max(map(len, blocks))
        filled = [block + [""] * (high - len(block)) for block in blocks]
        lines = [
            "    ".join(
                part.ljust(width) for part, width in zip(parts, widths, strict=True)
            ).rstrip()
            for parts in zip(*filled, strict=True)
        ]
    else:
        lines = [line for block in blocks for line in block]
    return "\n".join([*lines, *_legends(shown)])


def _lines(grid: Grid) -> list[str]:
    table = [["", *grid["head"]]] if grid["head"] else []
    for label, cells in grid["rows"]:
        table.append([label, *(f"{_MARK} {text}" if bad else text for text, _word, bad in cells)])
    columns = max(map(len, table))
    table = [row + [""] * (columns - len(row)) for row in table]
    widths = [max(len(row[column]) for row in table) for column in range(columns)]
    rows = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
    return [grid["caption"], *rows]


def _legends(shown: list[Grid]) -> list[str]:
    """The legends' sentences in one line, each once."""
    sentences = dict.fromkeys(sentence for grid in shown for sentence in grid["legend"])
    return [" ".join(sentences)] if sentences else []


# The outline has contrast on light and dark pages, and repeats what the sign says.
_STYLES = {
    "row": "display:flex;flex-wrap:wrap;gap:.3em 2em;align-items:flex-start;margin:.5em 0",
    "box": "overflow-x:auto;max-width:100%",
    "table": "margin:0;width:auto;border-collapse:collapse;font-variant-numeric:tabular-nums",
    "caption": "caption-side:top;text-align:left;color:inherit;padding:.2em 0;white-space:nowrap",
    "cell": "text-align:right;padding:.1em .45em;white-space:nowrap",
    "marked": "font-weight:bold;outline:solid #B45F06 2px;outline-offset:-2px",
}


def with_code(escaped: str) -> str:
    """Escaped text as HTML, what stands between backquotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)


def as_html(shown: list[Grid]) -> str:
    """The grids as tables side by side, one below the other where the page is narrow."""
    if not shown:
        return ""
    tables = "".join(
        # A box that scrolls is reached by the keyboard.
        f'<div style="{_STYLES["box"]}" tabindex="0" role="region" '
        f'aria-label="{html.escape(grid["caption"])}">{_table(grid)}</div>'
        for grid in shown
    )
    legend = "".join(f'<p style="margin:.2em 0">{html.escape(t)}</p>' for t in _legends(shown))
    return f'<div style="{_STYLES["row"]}">{tables}</div>{legend}'


def _table(grid: Grid) -> str:
    cell = _STYLES["cell"]
    head = "".join(
        f'<th scope="col" style="{cell}">{html.escape(label)}</th>' for label in grid["head"]
    )
    rows = "".join(
        f'<tr><th scope="row" style="{cell}">{html.escape(label)}</th>'
        f"{''.join(map(_cell, cells))}</tr>"
        for label, cells in grid["rows"]
    )
    return (
        f'<table style="{_STYLES["table"]}">'
        f'<caption style="{_STYLES["caption"]}">{with_code(html.escape(grid["caption"]))}'
        "</caption>"
        + (f"<thead><tr><td></td>{head}</tr></thead>" if head else "")
        + f"<tbody>{rows}</tbody></table>"
    )


def _cell(cell: _Cell) -> str:
    text, word, bad = cell
    text = html.escape(text)
    if word:
        text = f'<span role="img" aria-label="{html.escape(word)}">{text}</span>'
    style = _STYLES["cell"]
    if bad:
        style += f";{_STYLES['marked']}"
        mark = _("differs:")
        text = f'<span role="img" aria-label="{html.escape(mark)}">{_MARK}</span> {text}'
    return f'<td style="{style}">{text}</td>'
