"""The built site in a real browser: light, dark and on a phone."""

import dataclasses
import re
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe

from autograder.authoring.site.build import build
from autograder.lesson.course import read_course

COURSE = read_course()
# What pages are judged by. Colors of code are the theme's, which are tried by its own authors.
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa"]}}
WIDTHS = {"wide": 1280, "phone": 390}
# What a reader cannot see: it leaves the window to the right, and no frame scrolls to it.
CUT_OFF = """() => {
    const width = document.documentElement.clientWidth
    const scrolls = element => element && element !== document.body && (
        ["auto", "scroll"].includes(getComputedStyle(element).overflowX)
            && element.scrollWidth > element.clientWidth
            && element.getBoundingClientRect().right <= width + 1
        || scrolls(element.parentElement))
    const wide = [...document.querySelectorAll("article *")].filter(element =>
        element.checkVisibility() && element.getBoundingClientRect().right > width + 1
            && !scrolls(element.parentElement))
    const page = document.documentElement.scrollWidth > width + 1 ? ["the page scrolls"] : []
    return [...page, ...wide.map(element => element.outerHTML.slice(0, 160))]
}"""


@pytest.fixture(scope="module", params=["two lessons", pytest.param("all", marks=pytest.mark.soak)])
def site(request, tmp_path_factory) -> Path:
    base = tmp_path_factory.mktemp("site")
    course = COURSE
    if request.param != "all":
        course = dataclasses.replace(COURSE, lessons=COURSE.lessons[:2])
    return build(course, base / "source", base / "html", base / "executed").parent


@pytest.fixture(scope="module")
def address(site) -> Iterator[str]:
    """Where a server of this test gives the site."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def pages_of(site: Path) -> list[Path]:
    return [path for path in sorted(site.rglob("*.html")) if path.parent.name != "_static"]


class Page(HTMLParser):
    """The addresses that a page names, the ids in it, and its text."""

    def __init__(self, path: Path):
        super().__init__()
        self.links, self.images, self.ids, self.text = [], [], set(), ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids.add(given.get("id"))
        for name in ("href", "src"):
            if given.get(name):
                self.links.append(given[name])
        if tag == "img":
            self.images.append(given)

    def handle_data(self, data):
        self.text += data


def test_no_link_is_broken_and_each_picture_is_described(site):
    pages = {path: Page(path) for path in pages_of(site)}
    broken = []
    for path, page in pages.items():
        for link in [one for one in page.links if not re.match(r"[a-z]+:|//", one)]:
            name, _hash, anchor = link.partition("#")
            target = (path.parent / unquote(name.partition("?")[0])).resolve() if name else path
            known = pages[target].ids if target in pages else {unquote(anchor)}
            if not target.exists() or (anchor and unquote(anchor) not in known):
                broken.append(f"{path.name}: {link}")
        assert all("alt" in image for image in page.images), path
    assert sorted(set(broken)) == []
    lessons = [page for path, page in pages.items() if path.parent.name == "lessons"]
    assert all(page.images for page in lessons)


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        pytest.param("wide", "light", marks=pytest.mark.soak),
        ("phone", "dark"),
        pytest.param("wide", "dark", marks=pytest.mark.soak),
        pytest.param("phone", "light", marks=pytest.mark.soak),
    ],
)
def test_pages_are_readable(site, address, page, outside, pictures, theme, width):
    """Nothing comes from elsewhere, nothing is wider than the window, and axe-core is content."""
    page.set_viewport_size({"width": WIDTHS[width], "height": 900})
    page.add_init_script(f"localStorage.mode = localStorage.theme = '{theme}'")
    pictures.mkdir(parents=True, exist_ok=True)
    lessons = sorted((site / "lessons").glob("*.html"))
    names = ["index", "feedback-examples", "glossary", "guides/students", "search"]
    for path in [*(site / f"{name}.html" for name in names), *lessons]:
        page.goto(f"{address}/{path.relative_to(site).as_posix()}")
        assert page.locator("article h1").count() == 1 or path.name == "search.html"
        assert "not set" not in page.locator("footer").first.inner_text(), path
        words = page.title().split(" — ")
        assert len(words) == len(set(words)), words
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        assert page.evaluate(CUT_OFF) == [], path
        page.evaluate("document.querySelectorAll('img').forEach(i => { i.loading = 'eager'; })")
        page.wait_for_function("[...document.images].every(image => image.complete)")
        missing = "[...document.images].filter(i => !i.naturalWidth).map(i => i.src)"
        assert page.evaluate(missing) == [], path
        empty = """[...document.querySelectorAll('math')].filter(
            math => !math.getBoundingClientRect().width && math.checkVisibility()).length"""
        assert page.evaluate(empty) == 0, path
        assert page.locator("merror").count() == 0 and "\\frac" not in page.inner_text("main")
        found = Axe().run(page, options=RULES).response["violations"]
        said = [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found]
        assert said == [], path
        page.screenshot(path=pictures / f"site-{path.stem}-{theme}-{width}.png")
    assert outside == []


def test_every_page_fits_a_phone(site, address, page):
    page.set_viewport_size({"width": WIDTHS["phone"], "height": 900})
    for path in pages_of(site):
        page.goto(f"{address}/{path.relative_to(site).as_posix()}")
        assert page.evaluate(CUT_OFF) == [], path


def test_what_a_prediction_comes_to_is_shown_on_demand(address, page, pictures):
    page.goto(f"{address}/lessons/00-warm-up.html")
    answer = page.locator("details", has_text="Show the answer").first
    result = answer.get_by_text("It is: [[1, 2], [3, 4]]")
    assert not result.is_visible()
    answer.locator("summary").click()
    assert result.is_visible() and "Your guess" not in answer.inner_text()
    answer.scroll_into_view_if_needed()
    page.screenshot(path=pictures / "site-prediction.png")


def test_examples_of_feedback_are_those_of_checks(address, page):
    page.goto(f"{address}/feedback-examples.html")
    shown = page.locator("[aria-label='Check of split_heads']").inner_text()
    assert "checks passed" in shown and "Why:" in shown


def test_search_finds_a_word_of_a_lesson(address, page):
    page.goto(f"{address}/search.html?q=transpose")
    page.wait_for_selector("#search-results li")
    assert page.locator("#search-results a[href*='00-warm-up']").count()
