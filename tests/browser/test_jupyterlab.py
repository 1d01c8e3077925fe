def test_a_notebook_runs_in_the_browser(lab, notebook):
    lab.write(
        "tiny/tiny.ipynb",
        [
            "import torch\nprint(torch.arange(6).view(2, 3).sum().item())",
            "import time\ntime.sleep(0.5)\n'late'",
            "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()",
        ],
    )
    opened = notebook("tiny/tiny.ipynb")
    opened.run_all()

    assert opened.text(0) == "15"
    assert opened.text(1) == "'late'"
    assert opened.output(2).locator("img").count() == 1, "a picture is shown in the notebook"
    assert opened.errors() == []
    assert opened.screenshot("tiny").stat().st_size > 1000

    saved = opened.save()
    assert saved.cells[0].outputs[0].text == "15\n"
    assert [cell.id for cell in saved.cells] == ["cell-0", "cell-1", "cell-2"]


def test_an_error_is_seen(lab, notebook):
    lab.write("tiny/error.ipynb", ["1 / 0"])
    opened = notebook("tiny/error.ipynb")
    opened.run_all()

    assert "ZeroDivisionError" in opened.text(0)
    assert len(opened.errors()) == 1


def test_the_kernel_is_this_environment(lab, notebook):
    import sys

    lab.write("tiny/kernel.ipynb", ["import sys\nprint(sys.prefix)"])
    opened = notebook("tiny/kernel.ipynb")
    opened.run_all()

    assert opened.text(0) == sys.prefix
