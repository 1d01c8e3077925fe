"""Checks in a real kernel, cell by cell: whatever wrong answers do, it lives on."""

import queue
import sys
import time
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel
from right_answers import CAUSAL_MASK, LAYER_NORM

START = """
import ctypes, math, os, sys, time
import torch
from torch import nn
from torch.nn import functional as F
import transformer_workbook as wb
wb.start("00-warm-up")

def is_tried():
    return sys._getframe(1).f_code.co_filename == "<repair>"
"""
# Of what is tried in the place of `seen`, `rows` makes lists that contain each other. On these,
# torch.tensor overflows the C stack.
NESTED_LISTS = """
def causal_mask(size, device=None):
    rows = []
    for i in range(size):
        row = [True]
        for j in range(1, size):
            seen = j <= i
            row.append(seen)
        rows.append(row)
    mask = torch.tensor(rows, device=device)
    return mask.float().cos()
"""
WRONG_NORM = LAYER_NORM.replace("True)\n", "True) + x.mean() * 0.01\n", 1).replace(
    "correction=0)", "correction=0).cumsum(0)"
)


def acting(act: str) -> str:
    """A wrong LayerNorm that does something else first."""
    return WRONG_NORM.replace("        mean =", f"        {act}\n        mean =")


ALIVE = "print('alive')"

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="changes are tried on Linux alone")


class Kernel:
    """A kernel, and what its cells say."""

    def __init__(self, manager, client):
        self.manager, self.client = manager, client

    def send(self, source, cell_id=""):
        """Run a cell, under an id as JupyterLab sends it; returns the message's own id."""
        content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
        metadata = {"cellId": cell_id} if cell_id else {}
        message = self.client.session.msg("execute_request", content, metadata=metadata)
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def said(self, sent, until=None):
        """All that a cell says, up to its end, or up to some words."""
        texts, end = [], time.monotonic() + 60
        while time.monotonic() < end:
            try:
                message = self.client.get_iopub_msg(timeout=1)
            except queue.Empty:
                assert self.manager.is_alive(), "the kernel has died"
                continue
            if message["parent_header"].get("msg_id") != sent:
                continue
            content = message["content"]
            texts += [content.get("text", ""), content.get("data", {}).get("text/plain", "")]
            texts += content.get("traceback", [])
            is_over = message["msg_type"] == "status" and content["execution_state"] == "idle"
            if is_over or (until and until in texts[-2]):
                return "\n".join(filter(None, texts))
        raise AssertionError(f"no end after {texts}")

    def run(self, source, cell_id=""):
        return self.said(self.send(source, cell_id))


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    home = tmp_path_factory.mktemp("kernel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBOOK_HOME", str(home))
        manager, client = start_new_kernel(kernel_name="python3", cwd=str(home))
    kernel = Kernel(manager, client)
    kernel.run(START)
    yield kernel
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_nested_lists_leave_the_kernel_alive_and_the_report_whole(kernel):
    kernel.run(NESTED_LISTS, "x")
    said = kernel.run('wb.check("causal_mask")')
    assert "causal_mask: 1 of 4 checks passed" in said and "expected (1, 1, 3, 3)" in said
    assert "alive" in kernel.run(ALIVE)


@on_linux
def test_a_mistake_of_no_list_is_explained_in_a_kernel(kernel):
    kernel.run(LAYER_NORM.replace("correction=0)", "correction=0).cumsum(1)"))
    assert "Why: Look at the line `variance = " in kernel.run('wb.check("LayerNorm")')


@pytest.mark.parametrize(
    "act",
    [
        "ctypes.string_at(0)",
        "os._exit(0)",
        "os.fork(); os._exit(0)",
        "time.sleep(60)",
        "get_ipython().kernel.do_shutdown(False)",
    ],
)
def test_what_code_does_when_it_is_tried_leaves_the_kernel_alone(kernel, act):
    kernel.run(acting(f"if is_tried(): {act}"))
    start = time.monotonic()
    said = kernel.run('wb.check("LayerNorm")')
    assert time.monotonic() - start < 20
    assert "checks passed" in said and "returned: " in said and 'wb.hint("mean")' in said
    assert "alive" in kernel.run(ALIVE)


def test_what_code_says_when_it_is_tried_is_not_shown(kernel):
    kernel.run(
        "saved = sys.stdout\n"
        "def say():\n"
        "    print('loud')\n"
        "    saved.write('loud')\n"
        "    saved.flush()\n"
        "    sys.stderr.write('loud')\n"
        "    os.write(1, b'loud')\n"
        "    get_ipython().display_pub.publish({'text/plain': 'loud'})\n"
        "    open('loud.txt', 'w')\n"
    )
    kernel.run(acting("if is_tried(): say()"))
    said = kernel.run('wb.check("LayerNorm")')
    assert "checks passed" in said and "loud" not in said
    assert "loud" not in kernel.run(ALIVE)
    assert "False" in kernel.run("print(os.path.exists('loud.txt'))")


@on_linux
def test_an_interrupt_ends_what_is_tried_and_the_kernel_goes_on(kernel):
    kernel.run(acting("if is_tried(): time.sleep(60)"))
    sent = kernel.send('wb.check("LayerNorm")')
    time.sleep(1.5)
    kernel.manager.interrupt_kernel()
    assert "KeyboardInterrupt" in kernel.said(sent)
    process = kernel.run("print(os.getpid())").strip()
    children = Path(f"/proc/{process}/task/{process}/children").read_text()
    assert children == ""
    assert "alive" in kernel.run(ALIVE)


def test_the_ids_of_cells_tell_versions_from_other_cells(kernel):
    kernel.run(CAUSAL_MASK, "a")
    kernel.run(CAUSAL_MASK.replace("causal_mask", "causalmask"), "b")
    assert "all 4 checks passed" in kernel.run('wb.check("causal_mask")', "c")
    kernel.run("y = 1", "a")
    kernel.run("y = 1", "x")
    assert "defines it no more" in kernel.run('wb.check("causal_mask")', "c")
