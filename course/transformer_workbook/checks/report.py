"""The report of a check, as text and as a table in a notebook."""

import textwrap
from dataclasses import dataclass, field

from ..diagnosis.grids import Grid, as_html, as_text
from ..shared.language import N_, _, ngettext
from .display import FAILED, PASSED, Shown, code, escaped, framed, plain

_CELL = "text-align:left;vertical-align:top"
_TABLE = "margin:0;max-width:100%"
_LABEL = f"{_CELL};white-space:nowrap;font-weight:bold"
_CAPTION = "caption-side:top;text-align:left;color:inherit;padding:.3em 0"


_LONGEST = 200  # characters of the line that lists other cases
_MOST_OF_A_TABLE = 7  # lines of text


@dataclass(frozen=True)
class Row:
    """One case of a check: its title, the call, and its findings (none if it passed).

    `grids` show the numbers that the first finding is about. `verb` is what the component did:
    returned, raised.
    """

    says: str
    call: str
    findings: list[str]
    grids: list[Grid] = field(default_factory=list)
    verb: str = N_("returned")


@dataclass(frozen=True)
class Check(Shown):
    """The report of a check: true if all cases passed; text, or a table in a notebook.

    Says the `cause` of the failures first, where one is known, then shows the first failed case;
    all other cases are a line of text, or folded. `calls` are the calls of `wb.hint` to offer,
    `note` is a sentence about the check itself.
    """

    component: str
    rows: list[Row]
    calls: list[str] = field(default_factory=list)
    note: str = ""
    cause: str = ""

    def __bool__(self) -> bool:
        return bool(self.rows) and not self._failed

    @property
    def _failed(self) -> list[Row]:
        return [row for row in self.rows if row.findings]

    @property
    def _heading(self) -> str:
        of, passed = len(self.rows), len(self._passed)
        if passed < of:
            message = _("{component}: {count} of {of} checks passed.")
        else:
            message = ngettext(
                "{component}: the one check passed.", "{component}: all {count} checks passed.", of
            )
        return message.format(component=self.component, count=passed, of=of)

    def __repr__(self) -> str:
        if not self.rows:
            return plain(self.note)
        lines = [f"{'✓' if self else '✗'} {self._heading}"]
        if not self:
            lines += [self.note] if self.note else []  # may explain the failures
            lines += [f"{_(_CAUSE)}: {self.cause}"] if self.cause else []
            first, *others_failing = self._failed
            lines += [f"{_(_FIRST)}: {first.says}", f"  {_(_CALLED)}: {first.call}"]
            lines += [f"  {_(first.verb)}: {text}" for text in first.findings]
            lines += _table_in_text(first.grids)
            if self.calls:
                lines.append(
                    _("Stuck? Ask for a hint: {calls}").format(calls=", ".join(self.calls))
                )
            lines += [_listed(_("These fail, too"), others_failing)] if others_failing else []
            lines += [_listed(_("Passed"), self._passed)] if self._passed else []
        lines += [self.note] if self and self.note else []
        return "\n".join(plain(line).replace("\n", "\n    ") for line in lines)

    @property
    def _passed(self) -> list[Row]:
        return [row for row in self.rows if not row.findings]

    def _repr_html_(self) -> str:
        if not self.rows:
            return f"<p>{escaped(self.note)}</p>"
        label = escaped(_("Check of {component}").format(component=self.component))
        parts = [
            f'<p style="margin:.5em 0">{escaped(self.note)}</p>' if self.note else "",
            "" if self else self._focus() + as_html(self._failed[0].grids),
            self._all_cases(),
        ]
        heading = f"{'✓' if self else '✗'} {escaped(self._heading)}"
        return framed(PASSED if self else FAILED, heading, "".join(parts), label)

    def _focus(self) -> str:
        """The cause, and a table about the first failed case."""
        first = self._failed[0]
        findings = "<br>".join(code(text) for text in first.findings)
        lines = [
            (_(_CALLED), f"<code>{escaped(first.call)}</code>"),
            (escaped(_(first.verb)), findings),
            (_("Stuck?"), ", ".join(f"<code>{escaped(call)}</code>" for call in self.calls)),
        ]
        cells = "".join(
            f'<tr><th scope="row" style="{_LABEL}">{label}</th>'
            f'<td style="{_CELL};overflow-wrap:anywhere">{value}</td></tr>'
            for label, value in lines
            if value
        )
        cause = f"<b>{_(_CAUSE)}:</b> {code(self.cause)}"
        cause = f'<p style="margin:.5em 0">{cause}</p>' if self.cause else ""
        caption = f'<caption style="{_CAPTION}">{_(_FIRST)}: {code(first.says)}</caption>'
        return f'{cause}<table style="{_TABLE}">{caption}{cells}</table>'

    def _all_cases(self) -> str:
        """All cases with their results, folded below a summary."""
        head = "".join(
            f'<th scope="col" style="{_LABEL}">{label}</th>' for label in (_("tried"), _("result"))
        )
        rows = "".join(self._case(row) for row in self.rows)
        caption = _("What was tried, and the results")
        summary = ngettext(
            "The case that was tried",
            "All {of} cases: {passed} passed, {to_fix} to fix",
            len(self.rows),
        ).format(of=len(self.rows), passed=len(self._passed), to_fix=len(self._failed))
        return (
            '<details style="margin:.5em 0"><summary style="cursor:pointer">'
            f'{summary}</summary><table style="{_TABLE}">'
            f'<caption style="{_CAPTION}">{caption}</caption>'
            f"<tr>{head}</tr>{rows}</table></details>"
        )

    def _case(self, row: Row) -> str:
        result = "✗ " + _("to fix") if row.findings else "✓ " + _("passed")
        # The first failed case is shown in full above.
        words = row.findings if row.findings and row is not self._failed[0] else []
        more = "".join(f'<div style="margin-left:1em">{code(text)}</div>' for text in words)
        return (
            f'<tr><th scope="row" style="{_CELL};font-weight:normal">{code(row.says)}{more}'
            f'</th><td style="{_CELL};white-space:nowrap">{result}</td></tr>'
        )


_CAUSE = N_("Why")
_CALLED = N_("called")
_FIRST = N_("Look at this first")


def _table_in_text(shown: list[Grid]) -> list[str]:
    """The grids in a few lines of text; in a notebook the whole table is shown."""
    lines = as_text(shown).splitlines()
    lines = lines if len(lines) <= _MOST_OF_A_TABLE else [*lines[: _MOST_OF_A_TABLE - 1], "…"]
    return [f"    {line}" for line in lines]


def _listed(label: str, rows: list[Row]) -> str:
    """The titles of cases in one line, cut off where it is long."""
    titles = "; ".join(row.says for row in rows)
    return textwrap.shorten(f"{label} ({len(rows)}): {titles}", _LONGEST, placeholder=" …")
