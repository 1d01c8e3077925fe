"""Renders the pages that people read, from the templates beside this file."""

import base64
import hashlib
from functools import cache
from pathlib import Path

import jinja2

from autograder.grading.model import STATUSES
from autograder.language import TAG, TRANSLATIONS

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **values: object) -> str:
    """A page of HTML. All values are escaped, but for those that the template calls safe."""
    return _environment().get_template(template).render(language=TAG, statuses=STATUSES, **values)


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
    # The extension adds this method, of which types know nothing.
    environment.install_gettext_translations(TRANSLATIONS, newstyle=True)  # type: ignore[attr-defined]
    return environment
