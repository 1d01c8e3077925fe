"""The check of everything goes on to its end, whatever one of its steps does."""

import importlib.util
import sys
from pathlib import Path

import pytest

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
FAIL = [sys.executable, "-c", "raise SystemExit(3)"]
PASS = [sys.executable, "-c", ""]


@pytest.fixture
def run_all(monkeypatch):
    spec = importlib.util.spec_from_file_location("run_all", Path(__file__).with_name("run_all.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(sys, "argv", ["run_all.py"])
    return module


def test_a_step_that_never_ends_is_stopped_and_named_and_the_next_one_runs(run_all, capsys):
    run_all.STEPS = {"lint": SLEEP, "format": FAIL, "prove": PASS}
    run_all.TESTS, run_all.MOST_OF_A_STEP = PASS, 4
    assert run_all.main() == 1
    said = capsys.readouterr().out
    assert "== lint: FAILED, for it did not end in" in said
    assert "== format: FAILED with exit code 3 in" in said
    assert "== prove: passed in" in said
    assert said.index("== format: FAILED") < said.index("== tests\n")
    assert said.endswith("== failed before the tests or beside them: lint, format\n")


@pytest.mark.parametrize(("tests", "code"), [(PASS, 0), (FAIL, 1), (SLEEP, 1)])
def test_the_exit_code_is_0_only_if_the_tests_passed(run_all, capsys, tests, code):
    run_all.STEPS = {"lint": PASS}
    run_all.TESTS, run_all.MOST_OF_ALL_TESTS = tests, 0.5 if tests is SLEEP else 60
    assert run_all.main() == code
    assert ("== tests: FAILED, for it did not end in" in capsys.readouterr().out) == (
        tests is SLEEP
    )
