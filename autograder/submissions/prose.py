"""A student's Markdown as HTML in which nothing runs, loads, or stands for a part of the page.

It is rendered and sanitized here, rather than changed as text: what a link leads to is known only
after entities, escapes and references have been resolved, and each reader of Markdown resolves
them a little differently.
"""

import html
import re

import bleach
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.language import _
from autograder.results.safe_names import plain

LONGEST = 20_000  # characters; the time to render Markdown may grow with their square

TAGS = {
    "p", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "br", "hr", "span", "div",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "sub", "sup",
    "del", "dl", "dt", "dd",
}  # fmt: skip

# Prose that every reader shows as it stands. A line of hyphens would make the one above a heading,
# which formgrader gives an id that may be the one of a field for points.
_PLAIN = re.compile(r"[\w\s.,;:?'\"()%/+-]*")
_RULE = re.compile(r"^[ \t]*-[- \t]*$", re.MULTILINE)

_ALLOWED = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x20]+", re.IGNORECASE)
_SHOWN = 200  # characters of an address

# What TeX can do beyond formulas: lead elsewhere, load, or set styles, classes and ids.
_TEX = re.compile(
    r"\\(?=(?:href|url|style|class|cssId|data|require|unicode|bbox|f?colorbox|definecolor|enclose"
    r"|mmlToken|includegraphics|html\w*|tip|texttip|mathtip|toggle|csname|catcode|input|include"
    r"|special|write|immediate)(?![a-zA-Z]))"
)
_CODE = re.compile(r"(<(pre|code)>.*?</\2>)", re.DOTALL)
_BEFORE_BLANK = re.compile(r"\n(?=[ \t]*\n)")
_BLANK = re.compile(r"\n[ \t]*\n")
PIECES = (
    r"[^<>&]+|&(?:amp|lt|gt|quot|#x27|#10);"
    r"|<(?:br|hr)>|<(?P<opened>%s)>|</(?P<closed>\w+)>"
    r'|<(?P<link>a) href="(?:https?://|mailto:)[^"<>\s]+" rel="noopener noreferrer">'
)
_PIECES = re.compile(PIECES % "|".join(sorted(TAGS - {"br", "hr"})))
_DEEPEST = 100  # tags within each other


def inert(markdown: str) -> str:
    """A student's prose, as Markdown that is safe in every reader.

    Plain sentences stay as they are, and so does what this has returned: nbgrader's own commands
    repair a notebook again. Anything else becomes one block of sanitized HTML.
    """
    text = plain(markdown)
    if _is_sanitized(text):
        return text
    if len(text) <= LONGEST and _PLAIN.fullmatch(text) and not _RULE.search(text):
        return text
    # Readers end a block of HTML at a blank line, and take the rest for Markdown.
    return f"<div>{_BEFORE_BLANK.sub('&#10;', rendered(text).strip())}</div>"


def rendered(markdown: str, links: bool = True) -> str:
    """Markdown as HTML without scripts, styles, pictures, attributes, and other people's links.

    Links to http, https and mailto stay if `links`; of all others, and of pictures, the address is
    shown as text. Raw HTML is shown as text. Prose longer than LONGEST is not rendered.
    """
    text = plain(markdown)
    if not text.strip():
        return ""
    if len(text) > LONGEST:
        return _as_it_stands(text)
    try:
        made = MarkdownWithMath(renderer=_Renderer(links)).render(text)
    except Exception:  # of the reader; what is nested deeply enough ends in a RecursionError
        return _as_it_stands(text)
    sanitized = str(
        bleach.clean(
            made,
            tags=TAGS | {"a"},
            attributes={"a": ["href", "rel"]},
            protocols={"http", "https", "mailto"},
            strip=False,
        )
    )
    return _with_formulas_alone(sanitized)


def _with_formulas_alone(sanitized: str) -> str:
    """MathJax reads text wherever it stands, except in code."""
    parts = _CODE.split(sanitized)
    parts[::3] = [_TEX.sub(r"\\ ", part) for part in parts[::3]]
    del parts[2::3]  # the names of the tags, which the pattern captures too
    return "".join(parts)


def _is_sanitized(text: str) -> bool:
    """Whether a text is one that `inert` could have returned, no matter who wrote it."""
    if not text.startswith("<div>") or _BLANK.search(text):
        return False
    opened: list[str] = []
    position = 0
    while position < len(text):
        piece = _PIECES.match(text, position)
        if piece is None or (position and not opened):
            return False
        if tag := piece["opened"] or piece["link"]:
            opened.append(tag)
        elif piece["closed"] and piece["closed"] != opened.pop():
            return False
        if len(opened) > _DEEPEST:
            return False
        position = piece.end()
    return not opened and _with_formulas_alone(text) == text


def _as_it_stands(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


class _Renderer(IPythonRenderer):
    """Renders Markdown without pictures, diagrams, ids, and links that are not allowed."""

    def __init__(self, links: bool):
        super().__init__(escape=True, exclude_anchor_links=True)
        self._links = links

    def text(self, text: str) -> str:
        return html.escape(html.unescape(text), quote=False)

    def link(self, text: str, url: str, title: str | None = None) -> str:
        address = html.unescape(url)
        if self._links and _ALLOWED.fullmatch(address):
            return f'<a href="{html.escape(address)}" rel="noopener noreferrer">{text}</a>'
        shown = html.escape(address[:_SHOWN], quote=False)
        return text if text == shown else f"{text} ({shown})"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        words = _("[picture, not shown: {name}]").format(name=f"{text} {url[:_SHOWN]}".strip())
        return html.escape(html.unescape(words), quote=False)

    def task_list_item(self, text: str, checked: bool = False) -> str:
        return f"<li>{'☑' if checked else '☐'} {text}</li>\n"

    def block_code(self, code: str, info: str | None = None) -> str:
        return f"<pre><code>{html.escape(code)}</code></pre>\n"
