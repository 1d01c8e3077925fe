"""Checks in a real kernel, cell by cell."""

import queue
import time

import pytest
from jupyter_client.manager import start_new_kernel
from right_answers import CAUSAL_MASK

START = """
import math
import torch
from torch import nn
from torch.nn import functional as F
import transformer_workbook as wb
wb.start("00-warm-up")
"""


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


def test_the_ids_of_cells_tell_versions_from_other_cells(kernel):
    kernel.run(CAUSAL_MASK, "a")
    kernel.run(CAUSAL_MASK.replace("causal_mask", "causalmask"), "b")
    assert "all 5 checks passed" in kernel.run('wb.check("causal_mask")', "c")
    kernel.run("y = 1", "a")
    kernel.run("y = 1", "x")
    assert "defines it no more" in kernel.run('wb.check("causal_mask")', "c")
