"""A real JupyterLab in a real browser.

    def test_something(lab, notebook):
        lab.write("small.ipynb", ["1 + 1"])
        opened = notebook("small.ipynb")
        opened.run_all()
        assert opened.text(0) == "2"
        opened.screenshot("small")

The server is started once, over a copy of `course/`; the browser is started anew for each test, or
for the tests of one file (`window`): for longer, the loop of Playwright would keep others
(nbclient's) from running in the same thread. What a page asks of other machines is refused, and
noted in `outside`.
Pictures go to `build/screenshots`, or to the folder that SCREENSHOTS names.
"""

import json
import os
import re
import shutil
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import nbformat
import pytest
from jupyter_servers import served
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"
IDLE = f'{PANEL} .jp-Notebook-ExecutionIndicator[data-status="idle"]'
THIS_MACHINE = re.compile(r"^(http|ws)://127\.0\.0\.1[:/]")

KERNEL_READY = """() => {
    const kernel = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
    return kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
}"""

FORGET_RUN = """index => {
    window.jupyterapp.shell.currentWidget.content.widgets[index].model.executionCount = null;
}"""

RAN = """index => {
    const cell = window.jupyterapp.shell.currentWidget.content.widgets[index].model;
    return cell.executionCount !== null && cell.executionState !== 'running';
}"""

# An output is drawn a moment after it has come.
ALL_DRAWN = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code')
    .every(cell => {
        const drawn = [...cell.node.querySelectorAll('.jp-OutputArea-output')];
        return drawn.length >= cell.model.outputs.length
            && drawn.every(output => output.childNodes.length > 0);
    })"""

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Nothing is asked of the network, and all cells are in the page even when they are out of sight.
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}


@pytest.hookimpl(tryfirst=True)  # pytest-xdist looks for the groups in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # One worker takes them all, so that there is one server.
            item.add_marker(pytest.mark.xdist_group("browser"))


@dataclass
class Lab:
    """A running JupyterLab: its address, and the folder that it shows."""

    url: str
    folder: Path
    settings: Path

    def forget(self) -> None:
        """Ends all kernels, and forgets the theme that a test chose."""
        with urllib.request.urlopen(f"{self.url}/api/kernels", timeout=60) as answer:
            running = [kernel["id"] for kernel in json.load(answer)]
        for kernel in running:
            end = urllib.request.Request(f"{self.url}/api/kernels/{kernel}", method="DELETE")
            urllib.request.urlopen(end, timeout=60).close()
        themes = self.settings / "@jupyterlab" / "apputils-extension" / "themes.jupyterlab-settings"
        themes.unlink(missing_ok=True)

    def write(self, path: str, cells: list[str]) -> Path:
        """Makes a notebook of code cells in the served folder."""
        made = nbformat.v4.new_notebook(
            cells=[
                nbformat.v4.new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(cells)
            ],
            metadata={
                "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
            },
        )
        return self.lay(path, made)

    def lay(self, path: str, notebook: nbformat.NotebookNode) -> Path:
        """Puts a notebook into the served folder."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)
        return target


class Notebook:
    """A notebook that is open in the browser."""

    def __init__(self, lab: Lab, page, path: str, pictures: Path) -> None:
        self.lab, self.page, self.path, self.pictures = lab, page, path, pictures
        if page.url.startswith(lab.url):
            self.command("docmanager:open", path=path)
        else:
            # A workspace of its own, or JupyterLab also opens what an earlier test had open.
            page.goto(f"{lab.url}/lab/workspaces/{uuid.uuid4().hex}/tree/{quote(path)}")
        page.wait_for_selector(f"{PANEL} .jp-Cell", timeout=60_000)
        self.dismiss_pop_ups()
        # The indicator says "idle" before there is a kernel; cells that are run then do nothing.
        page.wait_for_function(KERNEL_READY, timeout=60_000)
        self.wait_until_idle()

    def dismiss_pop_ups(self) -> None:
        """The question about news, and the choice of a kernel where the notebook names none."""
        news = self.page.locator(".Toastify__toast button:has-text('No')")
        kernel = self.page.locator(".jp-Dialog button.jp-mod-accept")
        for button in (news, kernel):
            if button.count():
                button.first.click()

    def wait_until_idle(self, seconds: float = 60) -> None:
        self.page.wait_for_selector(IDLE, state="attached", timeout=seconds * 1000)

    def command(self, name: str, seconds: float = 60, **arguments: object) -> None:
        """Carries out a command of JupyterLab, and waits until it is done."""
        self.finish(
            "([name, given]) => window.jupyterapp.commands.execute(name, given)",
            [name, arguments],
            seconds,
        )

    def finish(self, function: str, given: object = None, seconds: float = 60) -> None:
        """Calls a function of the page, and waits until what it promises is there.

        Playwright itself would wait for a promise without an end.
        """
        self.page.evaluate(
            f"""given => {{
                window.finished = null;
                Promise.resolve(({function})(given)).then(
                    () => {{ window.finished = 'done'; }},
                    error => {{ window.finished = String(error); }},
                );
            }}""",
            given,
        )
        self.page.wait_for_function("window.finished !== null", timeout=seconds * 1000)
        outcome = self.page.evaluate("window.finished")
        assert outcome == "done", f"{function}, {given}: {outcome}"

    def run_all(self, seconds: float = 120) -> None:
        """Runs every cell as the menu's entry does; stops, as that does, at the first error."""
        self.command("notebook:run-all-cells", seconds)
        self.wait_until_idle(seconds)
        with suppress(PlaywrightTimeout):  # an output may be meant to be empty
            self.page.wait_for_function(ALL_DRAWN, timeout=5_000)

    def restart(self) -> None:
        """Restarts the kernel; what it knew is gone, the outputs stay."""
        self.finish(
            "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
        )
        self.page.wait_for_function(KERNEL_READY, timeout=60_000)
        self.wait_until_idle()

    def close(self) -> None:
        """Ends the kernel and closes the notebook, unsaved."""
        self.finish(
            """async () => {
                const panel = window.jupyterapp.shell.currentWidget;
                await panel.sessionContext.shutdown();
                panel.context.model.dirty = false;
                panel.close();
            }"""
        )

    def write_and_run(self, index: int, source: str) -> str:
        """Replaces a cell's text as typing does and runs it by the keyboard; what it then says."""
        self.cell(index).locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)
        return self.run(index)

    def run(self, index: int) -> str:
        """Runs a cell by the keyboard; what it then says."""
        self.cell(index).locator(".cm-content").click()
        self.page.evaluate(FORGET_RUN, index)
        self.page.keyboard.press("Control+Enter")
        self.wait_for_run(index)
        return self.text(index)

    def wait_for_run(self, index: int) -> None:
        """Waits until a cell has run, and all that it shows is drawn."""
        self.page.wait_for_function(RAN, arg=index, timeout=60_000)
        self.wait_until_idle()
        with suppress(PlaywrightTimeout):
            self.page.wait_for_function(ALL_DRAWN, timeout=5_000)

    def save(self) -> nbformat.NotebookNode:
        """Saves, and returns what then lies on the disk."""
        self.command("docmanager:save")
        return nbformat.read(self.lab.folder / self.path, as_version=4)

    def cell(self, index: int):
        """The cell as Playwright's locator, Markdown cells counted."""
        return self.page.locator(f"{PANEL} .jp-Cell").nth(index)

    def output(self, index: int):
        return self.cell(index).locator(".jp-OutputArea-output")

    def text(self, index: int) -> str:
        """What the cell's outputs say, one below the other."""
        return "\n".join(text.strip() for text in self.output(index).all_inner_texts())

    def errors(self) -> list[str]:
        """The errors that cells show."""
        return self.page.locator(
            '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"],'
            '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"]'
        ).all_inner_texts()

    def theme(self, name: str) -> None:
        """Changes over to JupyterLab's theme "Light" or "Dark"."""
        self.command("apputils:change-theme", theme=f"JupyterLab {name}")
        light = str(name == "Light").lower()
        self.page.wait_for_selector(f'body[data-jp-theme-light="{light}"]', state="attached")

    def whole(self, name: str, height: int = 2600) -> list[Path]:
        """Pictures of the notebook from top to bottom, as many as it takes."""
        usual = self.page.viewport_size
        self.page.set_viewport_size({"width": 1060, "height": height})
        if self.page.locator("#jp-left-stack:visible").count():
            self.command("application:toggle-left-area")
        shown = self.page.locator(f"{PANEL} .jp-WindowedPanel-outer")
        # Below the last cell there is room to scroll on, with nothing in it.
        end = self.page.locator(f"{PANEL} .jp-Cell").last.evaluate("""cell => {
            const outer = cell.closest('.jp-WindowedPanel-outer');
            return cell.getBoundingClientRect().bottom - outer.getBoundingClientRect().top
                + outer.scrollTop;
        }""")
        taken = []
        for top in range(0, int(end), height - 200):
            shown.evaluate("(node, top) => { node.scrollTop = top; }", top)
            taken.append(self.screenshot(f"{name}-{len(taken) + 1}", shown))
        self.page.set_viewport_size(usual)
        return taken

    def screenshot(self, name: str, locator=None) -> Path:
        """A picture of the page, or of one part of it."""
        self.pictures.mkdir(parents=True, exist_ok=True)
        target = self.pictures / f"{name}.png"
        (locator or self.page).screenshot(path=target)
        return target


@pytest.fixture(scope="session")
def lab(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab over a copy of the course, with the kernel of this very environment."""
    base = tmp_path_factory.mktemp("lab")
    folder = base / "course"
    left_out = shutil.ignore_patterns(
        "__pycache__", "*.egg-info", ".ipynb_checkpoints", "build", "my_transformer"
    )
    shutil.copytree(ROOT / "course", folder, ignore=left_out)

    settings = base / "settings" / "@jupyterlab"
    for name, values in SETTINGS.items():
        target = settings / f"{name}.jupyterlab-settings"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(values))

    options = [
        "--ServerApp.disable_check_xsrf=True",
        *(f"--LabApp.user_settings_dir={base / 'settings'}", "--LabApp.news_url=None"),
        *(f"--LabApp.workspaces_dir={base / 'workspaces'}", "--LabApp.expose_app_in_browser=True"),
    ]
    with served("jupyterlab", folder, base / "server.log", *options) as address:
        yield Lab(address, folder, base / "settings")


@contextmanager
def _open_window(chromium: str, outside: list[str]) -> Iterator:
    def refuse(route) -> None:
        outside.append(route.request.url)
        route.abort()

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            context.set_default_timeout(30_000)
            context.route(lambda url: not THIS_MACHINE.match(url), refuse)
            yield context.new_page()
        finally:
            browser.close()


@pytest.fixture(scope="module")
def outside() -> list[str]:
    """The addresses on other machines that pages asked for."""
    return []


@pytest.fixture(scope="module")
def window(chromium: str, outside: list[str]) -> Iterator:
    """A page of a browser that all tests of one file share."""
    with _open_window(chromium, outside) as page:
        yield page


@pytest.fixture
def page(chromium: str, outside: list[str]) -> Iterator:
    """A page of a browser that was started for this test alone."""
    with _open_window(chromium, outside) as page:
        yield page


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator:
    """A browser for pages that no JupyterLab serves."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pictures(pytestconfig: pytest.Config) -> Path:
    return Path(os.environ.get("SCREENSHOTS") or pytestconfig.rootpath / "build" / "screenshots")


@pytest.fixture
def notebook(lab: Lab, page, pictures: Path) -> Iterator[Callable[[str], Notebook]]:
    """Opens a notebook by its path in the served folder."""
    yield lambda path: Notebook(lab, page, path, pictures)
    lab.forget()


@pytest.fixture(scope="module")
def shared_notebook(lab: Lab, window, pictures: Path) -> Iterator[Callable[[str], Notebook]]:
    """Opens a notebook in the page that all tests of one file share."""
    yield lambda path: Notebook(lab, window, path, pictures)
    lab.forget()
