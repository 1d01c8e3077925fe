"""The report of a check, as text and as a table in a notebook."""

import html
import unicodedata
from dataclasses import dataclass, field

from ..shared.language import _, ngettext
from ..verdicts.grids import as_html, as_text
from .display import Shown

# Each colour has enough contrast in JupyterLab's light and dark themes and in Colab's. It repeats
# what the sign and the words say.
_PASSED, _FAILED = "#009E73", "#B45F06"
_CELL = "text-align:left;vertical-align:top"
_TABLE = "margin:0;max-width:100%"
_LABEL = f"{_CELL};white-space:nowrap;font-weight:bold"
_CAPTION = "caption-side:top;text-align:left;color:inherit;padding:.3em 0"


_PLACE = _("Where it may be")
_VALUE = _("First unexpected value")


@dataclass(frozen=True)
class Place(Shown):
    """Where a change would mend what a check found, shown below its report."""

    says: str

    def __repr__(self) -> str:
        return _plain(f"{_PLACE}: {self.says}")

    def _repr_html_(self) -> str:
        return (
            f'<p style="border-left:4px solid {_FAILED};padding:.2em .9em;max-width:56em;margin:0">'
            f"<b>{_PLACE}:</b> {_escaped(self.says)}</p>"
        )


@dataclass(frozen=True)
class Row:
    """One case of a check: its title, the call, and its findings (none if it passed).

    `misconception` describes the known mistake that explains them, if there is one. `grids` show
    the numbers that findings are about, a list of grids for each such finding. `meaning` says what
    the findings amount to, where no known mistake explains them. `value` says which of the values
    on the way to the result is the first wrong one.
    """

    says: str
    call: str
    findings: list[str]
    misconception: str = ""
    grids: list[list[dict]] = field(default_factory=list)
    meaning: str = ""
    value: str = ""


@dataclass(frozen=True)
class Check(Shown):
    """The report of a check: true if all cases passed; text, or a table in a notebook.

    Shows the first failed case in full; all other cases are a line of text, or folded. `calls` are
    the calls of `wb.hint` to offer, `note` is a sentence about the check itself. `place` says where
    a change would mend the failing cases, and of what kind.
    """

    component: str
    rows: list[Row]
    calls: list[str] = field(default_factory=list)
    note: str = ""
    place: str = ""

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

    @property
    def _first(self) -> tuple[Row, str]:
        """The first failed row, and its misconception, or else the first one of any row."""
        first = self._failed[0]
        known = [row.misconception for row in self._failed if row.misconception]
        return first, first.misconception or (known or [""])[0]

    def _mistakes(self, first: str) -> list[tuple[str, str]]:
        """The known mistakes with their labels: the one to mend first, then all others."""
        if not first:
            return []
        known = dict.fromkeys(row.misconception for row in self._failed if row.misconception)
        others = [says for says in known if says != first]
        return [
            (_("This looks familiar"), first),
            *((_("And, in other cases"), says) for says in others),
        ]

    def __repr__(self) -> str:
        if not self.rows:
            return _plain(self.note)
        lines = [f"{'✓' if self else '✗'} {self._heading}"]
        if not self:
            lines += [self.note] if self.note else []  # may explain the failures
            first, mistake = self._first
            parts = [(_("Look at this first"), first.says), ("  " + _("called"), first.call)]
            parts += [("  " + _("returned"), text) for text in first.findings]
            parts += [("  " + _("This means"), first.meaning)] if first.meaning else []
            parts += [("  " + label, says) for label, says in self._mistakes(mistake)]
            parts += [("  " + _VALUE, first.value)] if first.value else []
            parts += [("  " + _PLACE, self.place)] if self.place else []
            lines += [f"{label}: {text}" for label, text in parts]
            lines += [f"    {as_text(shown)}" for shown in first.grids]
            if self.calls:
                lines.append(
                    _("Stuck? Ask for a hint: {calls}").format(calls=", ".join(self.calls))
                )
            others = [(_("Then fix"), self._failed[1:]), (_("Passed"), self._passed)]
            for label, rows in others:
                if rows:
                    lines.append(f"{label}: {'; '.join(row.says for row in rows)}")
        lines += [self.note] if self and self.note else []
        return "\n".join(_plain(line).replace("\n", "\n    ") for line in lines)

    @property
    def _passed(self) -> list[Row]:
        return [row for row in self.rows if not row.findings]

    def _repr_html_(self) -> str:
        if not self.rows:
            return f"<p>{_escaped(self.note)}</p>"
        heading = _escaped(self._heading)
        label = _escaped(_("Check of {component}").format(component=self.component))
        return "".join(
            [
                f'<div role="group" aria-label="{label}" style="border-left:4px solid '
                f'{_PASSED if self else _FAILED};padding:.2em .9em;max-width:56em">',
                '<p role="heading" aria-level="4" style="margin:.2em 0 .5em;font-weight:bold">'
                f"{'✓' if self else '✗'} {heading}</p>",
                f'<p style="margin:.5em 0">{_escaped(self.note)}</p>' if self.note else "",
                "" if self else self._focus() + "".join(map(as_html, self._first[0].grids)),
                self._all_cases(),
                "</div>",
            ]
        )

    def _focus(self) -> str:
        """A table about the first failed case."""
        first, mistake = self._first
        findings = "<br>".join(_escaped(text) for text in first.findings)
        lines = [
            (_("called"), f"<code>{_escaped(first.call)}</code>"),
            (_("returned"), findings),
            (_("This means"), _escaped(first.meaning)),
            (_("This looks familiar"), _escaped(mistake)),
            (_VALUE, _escaped(first.value)),
            (_PLACE, _escaped(self.place)),
            (_("Stuck?"), ", ".join(f"<code>{_escaped(call)}</code>" for call in self.calls)),
        ]
        cells = "".join(
            f'<tr><th scope="row" style="{_LABEL}">{label}</th>'
            f'<td style="{_CELL};overflow-wrap:anywhere">{value}</td></tr>'
            for label, value in lines
            if value
        )
        caption = _("Look at this first") + f": {_escaped(first.says)}"
        caption = f'<caption style="{_CAPTION}">{caption}</caption>'
        return f'<table style="{_TABLE}">{caption}{cells}</table>'

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
        words = []
        # The first failed case is shown in full above.
        if row.findings and row is not self._first[0]:
            words += row.findings[:1]
            if row.misconception and row.misconception != self._first[1]:
                words.append(_("This looks familiar") + f": {row.misconception}")
        more = "".join(f'<div style="margin-left:1em">{_escaped(text)}</div>' for text in words)
        return (
            f'<tr><th scope="row" style="{_CELL};font-weight:normal">{_escaped(row.says)}{more}'
            f'</th><td style="{_CELL};white-space:nowrap">{result}</td></tr>'
        )


def _escaped(text: str) -> str:
    return html.escape(_plain(text)).replace("\n", "<br>")


def _plain(text: str) -> str:
    """Text with control and bidirectional characters escaped, and tabs as spaces."""
    return "".join(
        char.encode("unicode_escape").decode("ascii") if _is_control(char) else char
        for char in text.replace("\t", " ")
    )


def _is_control(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Cs")
