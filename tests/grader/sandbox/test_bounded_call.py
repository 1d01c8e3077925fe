"""What analyses students' data runs in a process that may be killed, and is missing at worst."""

import os
import time

import pytest
import torch

from autograder.sandbox import bounded_call
from autograder.sandbox.bounded_call import NotFinished, call

HERE = "grader.sandbox.hostile_calls"


@pytest.fixture(autouse=True)
def no_process_is_left():
    # Of two that other tests left idle, each call would take the other one.
    bounded_call.close_all()
    yield
    bounded_call.close_all()


def test_values_and_tensors_go_in_and_come_out():
    given = {"text": "ß", "numbers": [1, 2.5, None], "x": torch.arange(3)}
    found = call(HERE, "returned", {"tree": given})
    assert found["text"] == "ß" and found["numbers"] == [1, 2.5, None]
    assert torch.equal(found["x"], given["x"])


def test_a_process_is_used_again():
    assert call(HERE, "process", {}) == call(HERE, "process", {}) != os.getpid()


@pytest.mark.parametrize("function", ["hang", "hang_in_c", "eat_memory", "die", "leave", "recurse"])
def test_what_does_not_end_well_is_not_finished_and_the_next_call_is(function):
    start = time.monotonic()
    with pytest.raises(NotFinished):
        call(HERE, function, {}, seconds=2.0)
    assert time.monotonic() - start < 20
    assert call(HERE, "returned", {"tree": {"a": 1}}) == {"a": 1}


def test_a_process_that_was_killed_is_gone():
    pid = call(HERE, "process", {})
    with pytest.raises(NotFinished):
        call(HERE, "hang", {}, seconds=0.5)
    for _attempt in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("it is still there")


def test_what_is_too_large_or_no_data_is_refused_before_it_is_sent():
    for tree in (torch.zeros(40 << 20, dtype=torch.uint8), object()):
        with pytest.raises(NotFinished):
            call(HERE, "returned", {"tree": tree})


def test_messages_are_in_the_language_of_the_grader(monkeypatch):
    monkeypatch.setenv("LANGUAGE", "de")
    assert call(HERE, "variable", {"name": "LANGUAGE"}) == "de"
