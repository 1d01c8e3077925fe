"""Renders the pages that people read, from the templates beside this file."""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograder.language import TAG, _, language, ngettext
from autograder.results.submission import STATUSES

TEMPLATES = Path(__file__).parent / "templates"
_CODE = re.compile("(`+)([^`]+)\\1")
MOST_COLORED = 20_000  # characters of code: a quarter of a second, whatever they are


def render(template: str, **values: object) -> str:
    """A page of HTML. All values are escaped, but for those that the template calls safe."""
    return (
        _environment()
        .get_template(template)
        .render(language=language() or TAG, statuses=STATUSES, **values)
    )


def breakable(name: str) -> Markup:
    """A name of Python that a narrow cell breaks behind its underscores."""
    return Markup("_<wbr>").join(escape(part) for part in name.split("_"))


def with_code(text: str) -> Markup:
    """Text as HTML in which what stands between backquotes is code. All of it is escaped."""
    return Markup(_CODE.sub(r"<code>\2</code>", str(escape(text))))


def python(code: str) -> Markup:
    """Code of Python as HTML, with a class for each kind of token. All of it is escaped."""
    if len(code) > MOST_COLORED:
        return escape(code)
    return Markup(highlight(code, PythonLexer(), HtmlFormatter(nowrap=True)))


def script(name: str) -> dict[str, str]:
    """A script beside the templates, and its hash: a page's policy lets no other one run."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    hashed = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return {"text": text, "hash": f"sha256-{hashed}"}


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    environment.filters["with_code"] = with_code
    environment.filters["breakable"] = breakable
    environment.filters["python"] = python
    # The extension adds this method, of which types know nothing.
    environment.install_gettext_callables(_, ngettext, newstyle=True)  # type: ignore[attr-defined]
    return environment
