"""The built site in a real browser: light, dark and on a phone."""

import dataclasses
import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from torch.nn.functional import pad

from autograder.authoring import catalogues
from autograder.authoring.site.build import build
from autograder.lesson.course import read_course
from transformer_workbook.lessons.number_words import playing
from transformer_workbook.lessons.number_words import words as number_words
from transformer_workbook.lessons.number_words.knock_outs import KNOCK_OUTS
from transformer_workbook.lessons.number_words.model import trained

COURSE = read_course()
LESSON = COURSE.lesson("00-warm-up")
# What pages are judged by. Colors of code are the theme's, which are tried by its own authors.
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa"]}}
WIDTHS = {"wide": 1280, "phone": 390}
CUT_OFF = Path(__file__).with_name("cut_off.js").read_text(encoding="utf-8")
WRITTEN = "document.querySelector('#translator tbody') && !document.getAnimations().length"
TRANSLATED = """([parts, without]) => (window.loadedTranslator ??=
    import("/_static/translator/model.js").then(model => model.open("/_static/translator"))
).then(translator => translator.translate(parts, without))"""


@pytest.fixture(scope="module", params=["two lessons", pytest.param("all", marks=pytest.mark.soak)])
def site(request, tmp_path_factory) -> Path:
    base, course = tmp_path_factory.mktemp("site"), COURSE
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "all":
            course, first = dataclasses.replace(COURSE, lessons=COURSE.lessons[0:3:2]), LESSON
            patch.setattr(catalogues, "languages_of", lambda _course, one: ["ko"] * (one == first))
        return build(course, base / "source", base / "html", base / "executed").parent


@pytest.fixture(scope="module")
def address(site) -> Iterator[str]:
    """Where a server of this test gives the site."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def pages_of(site: Path) -> list[Path]:
    return [path for path in sorted(site.rglob("*.html")) if path.parent.name != "_static"]


def test_no_link_is_broken_and_each_picture_is_described(site):
    pages = {path: BeautifulSoup(path.read_bytes(), "html.parser") for path in pages_of(site)}
    ids = {path: {tag["id"] for tag in page.select("[id]")} for path, page in pages.items()}
    broken = []
    for path, page in pages.items():
        for link in [tag.get("href") or tag.get("src") for tag in page.select("[href], [src]")]:
            if not link or re.match(r"[a-z]+:|//", link):
                continue
            name, _hash, anchor = link.partition("#")
            target = (path.parent / unquote(name.partition("?")[0])).resolve() if name else path
            known = ids.get(target, {unquote(anchor)})
            if not target.exists() or (anchor and unquote(anchor) not in known):
                broken.append(f"{path.name}: {link}")
        assert "/site-" not in page.text and all("alt" in i.attrs for i in page.select("img")), path
        described = page.select('[property="og:description"]:not([content=""])')
        assert described or path.stem in ("genindex", "search"), path
    assert sorted(set(broken)) == []
    lessons = [page for path, page in pages.items() if path.parent.name == "lessons"]
    assert all(page.select("img") for page in lessons)


def test_a_lesson_runs_on_right_answers_to_earlier_ones(site):
    page = (site / "lessons" / "02-multi-head-attention.html").read_text(encoding="utf-8")
    assert "yours: split_heads, merge_heads, scaled_dot_product_attention" in page


@pytest.mark.parametrize("width", ["phone", pytest.param("wide", marks=pytest.mark.soak)])
@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.soak)])
def test_pages_are_readable(site, address, page, outside, pictures, theme, width):
    """Nothing comes from elsewhere, nothing is wider than the window, and axe-core is content."""
    page.set_viewport_size({"width": WIDTHS[width], "height": 900})
    page.add_init_script(f"localStorage.mode = localStorage.theme = '{theme}'")
    pictures.mkdir(parents=True, exist_ok=True)
    names = ["index", "feedback-examples", "glossary", "guides/students", "search"]
    known = [site / below / f"{name}.html" for below in ("", "ko") for name in names]
    shown = [*known, *sorted(site.rglob("lessons/*.html"))]
    for path in shown:
        page.goto(f"{address}/{path.relative_to(site).as_posix()}")
        assert page.locator("article h1").count() == 1 or path.name == "search.html"
        assert "not set" not in page.locator("footer").first.inner_text(), path
        words = page.title().split(" — ")
        assert len(words) == len(set(words)), words
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        if path.stem == "index":
            page.locator("#translator-text").fill("fuenfundvierzig")
            page.keyboard.press("Enter")
            page.get_by_role("button", name="forty").focus()
            looks = (
                "“forty”이(가) 보는 곳: “vier”"
                if path.parent.name == "ko"
                else "“forty” looks at “vier”"
            )
            assert looks in page.locator("#translator").inner_text()
            page.locator("#translator-part").select_option("positions")
            page.wait_for_function(WRITTEN)
            below = page.locator("#translator .why").bounding_box()
            assert below["y"] + below["height"] < 900, "what the part is for is in sight"
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
        name = "-".join(path.relative_to(site).with_suffix("").parts)
        page.screenshot(path=pictures / f"site-{name}-{theme}-{width}.png")
    for path in {*pages_of(site)} - {*shown}:
        page.goto(f"{address}/{path.relative_to(site).as_posix()}")
        assert page.evaluate(CUT_OFF) == [], path
    assert outside == []


def test_what_a_prediction_comes_to_is_shown_on_demand(address, page, pictures):
    page.goto(f"{address}/lessons/00-warm-up.html")
    answer = page.locator("details", has_text="Show the answer").first
    result = answer.get_by_text("It is: [[1, 2], [3, 4]]")
    assert not result.is_visible()
    answer.locator("summary").click()
    assert result.is_visible() and "Your guess" not in answer.inner_text()
    answer.scroll_into_view_if_needed()
    page.screenshot(path=pictures / "site-prediction.png")


def test_a_page_leads_to_itself_in_the_other_language(address, page):
    page.goto(f"{address}/ko/lessons/00-warm-up.html")
    for name, path, tag in (("English", "", "en"), ("한국어", "/ko", "ko")):
        alternate = page.locator("link[hreflang]").evaluate("link => link.href")
        page.get_by_role("link", name=name, exact=True).click()
        assert page.url == alternate == f"{address}{path}/lessons/00-warm-up.html"
        assert page.locator("html").get_attribute("lang") == tag


def test_examples_of_feedback_are_those_of_checks(address, page):
    page.goto(f"{address}/feedback-examples.html")
    shown = page.locator("[aria-label='Check of split_heads']").inner_text()
    assert "checks passed" in shown and "Why:" in shown


def test_search_finds_a_word_of_a_lesson(address, page):
    page.goto(f"{address}/search.html?q=transpose")
    page.wait_for_selector("#search-results li")
    assert page.locator("#search-results a[href*='00-warm-up']").count()


@pytest.mark.parametrize("count", [24, pytest.param(500, marks=pytest.mark.soak)])
def test_the_translator_says_and_sees_what_pytorch_does(address, page, count):
    """Whole, and without each part; without norms, large scores have larger rounding errors."""
    page.goto(f"{address}/index.html")
    listed = "[...document.querySelectorAll('#translator-part option')].map(o => o.value)"
    assert page.evaluate(listed) == ["", *KNOCK_OUTS]
    numbers = range(0, 1_000_000, 999_999 // (count - 1))
    for without, german in product(["", *KNOCK_OUTS], map(playing.german_parts, numbers)):
        model, src = trained(without), playing.source(german)
        if without == "padding mask":  # the page shows it in a sentence that has padding
            src = pad(src, (0, number_words.MAX_LEN - src.shape[1]))
        english = playing.decoded(model, src)[0]
        model(src, number_words.pad([number_words.ENGLISH.encode(english, bos=True)]))
        answer = page.evaluate(TRANSLATED, [german, without])
        assert answer["words"] == [*english, playing.END], (german, without)
        weights = model.decoder.layers[-1].cross_attn.weights[0]
        off = (torch.tensor(answer["weights"]) - weights).abs().max()
        assert off < (1e-3 if without == "norms" else 1e-4), (german, without)
