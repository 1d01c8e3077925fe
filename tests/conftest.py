"""What every test has: one thread, a home of its own, and a browser if the machine has one."""

import gc
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Set before torch or numpy is imported; child processes inherit them.
for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_name] = "1"

# As the autograder does, which some tests import after nbformat: a grammar that nobody needs.
sys.modules.setdefault("rfc3987_syntax", None)

# Where programs keep what is the user's own. With these gone, they look into HOME.
_FOLDERS = (
    "IPYTHONDIR",
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_CONFIG_PATH",
    "JUPYTER_DATA_DIR",
    "JUPYTER_PATH",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
)
_MARK = "TRANSFORMER_TEST_HOME"
_home = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    if _MARK in os.environ:  # a worker of pytest-xdist shares the home of the process above it
        return
    home = Path(tempfile.mkdtemp(prefix="home-"))
    config.stash[_home] = home
    for name in _FOLDERS:
        os.environ.pop(name, None)
    os.environ[_MARK] = os.environ["HOME"] = str(home)
    os.environ["IPYTHONDIR"] = str(home / "ipython")
    os.environ["JUPYTER_CONFIG_DIR"] = str(home / "jupyter" / "config")
    os.environ["JUPYTER_DATA_DIR"] = str(home / "jupyter" / "data")
    os.environ["JUPYTER_RUNTIME_DIR"] = str(home / "jupyter" / "runtime")

    # By a file and not by MPLBACKEND, which would also take the inline pictures from notebooks.
    pictures = home / "matplotlib"
    pictures.mkdir()
    (pictures / "matplotlibrc").write_text("backend: Agg\n")
    os.environ["MPLCONFIGDIR"] = str(pictures)
    os.environ.pop("MPLBACKEND", None)

    # The new home has no git configuration, and the repository may belong to another user.
    os.environ.update(
        GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="safe.directory", GIT_CONFIG_VALUE_0="*"
    )


def pytest_unconfigure(config: pytest.Config) -> None:
    if home := config.stash.get(_home, None):
        shutil.rmtree(home, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Without the garbage collector: what is imported stays, and it would look through it often."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)  # pytest-xdist looks for the groups in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share what is made once a module are for one process: each would make its own."""
    for item in items:
        if not item.get_closest_marker("xdist_group") and _shares_with_its_module(item):
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(ROOT))))


MOST_OF_AN_ID = 80  # characters


def pytest_make_parametrize_id(val: object) -> str | None:
    """A long text by its beginning: ids are sent to and fro, and some texts are megabytes."""
    if isinstance(val, str | bytes) and len(val) > MOST_OF_AN_ID:
        return ascii(val[:MOST_OF_AN_ID])
    return None


def _shares_with_its_module(item: pytest.Item) -> bool:
    fixtures = getattr(item, "_fixtureinfo", None)  # a file of text has none
    return fixtures is not None and any(
        fixture.scope == "module"
        for fixtures_of_name in fixtures.name2fixturedefs.values()
        for fixture in fixtures_of_name
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    # Only where something has imported torch already: most tests should not pay for the import.
    torch = sys.modules.get("torch")
    if torch is not None and torch.get_num_threads() != 1:
        torch.set_num_threads(1)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's own folder."""
    return ROOT


@pytest.fixture(scope="session")
def zygote():
    """While it is there, a runner starts in no time: torch is imported for it already."""
    from autograder.sandbox.server_process import started_ahead

    with started_ahead():
        yield


@pytest.fixture(scope="session")
def stand_ins_in():
    """Finds the components that `wb.use` said to be stand-ins, in all that a notebook said."""

    def stand_ins_in(said: str) -> set[str]:
        pattern = r"^stand-ins from[^:]*:\s(\w+(?:,\s\w+)*)"
        listed = re.findall(pattern, said, flags=re.MULTILINE)
        return {name for names in listed for name in re.findall(r"\w+", names)}

    return stand_ins_in


@pytest.fixture
def carry_forward(monkeypatch):
    """Lays the code of all earlier lessons where a student's own code lies, in a folder."""
    from autograder.authoring.prove.notebooks import saved_code
    from transformer_workbook.own_code import store

    def carry_forward(lesson, folder: Path) -> None:
        monkeypatch.setenv("WORKBOOK_HOME", str(folder))
        (folder / store.PACKAGE).mkdir(parents=True, exist_ok=True)
        exec(saved_code(lesson), {})

    return carry_forward


_BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a chromium; where there is none, the test is skipped."""
    named = os.environ.get("CHROMIUM")
    found = (path for name in ([named] if named else _BROWSERS) if (path := shutil.which(name)))
    path = next(found, None)
    if path is None:
        pytest.skip("no chromium here (Debian: apt install chromium; or set CHROMIUM to its path)")
    return path
