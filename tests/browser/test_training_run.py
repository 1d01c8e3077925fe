"""A training run as it is watched: the curves grow while it runs, and stay when it ends."""

START = """import transformer_workbook as wb
from transformer_workbook.trainer import fit

fit._REDRAW = 0.3  # seconds, so that a short run is drawn several times
"""
FIT = """make_model, train_step, evaluate, noam_lr, Smoothing = wb.use(
    "make_model", "train_step", "evaluate", "noam_lr", "LabelSmoothing"
)
words = wb.number_words
numbers = words.splits(960, 60, 60)
wb.seed_everything(0)
model = make_model(
    len(words.GERMAN), len(words.ENGLISH), d_model=16, num_heads=2, num_layers=1, d_ff=16
)
run = wb.fit(
    model, words.Batches(numbers.train, 32), epochs=4, train_step=train_step, noam_lr=noam_lr,
    loss_fn=Smoothing(len(words.ENGLISH), words.PAD), warmup=40, factor=0.5,
    evaluate=evaluate, validation=list(words.Batches(numbers.validation)),
)
"""
# Notes the words of each new picture while the cell runs.
WATCH = """index => {
    window.said = [];
    const cell = window.jupyterapp.shell.currentWidget.content.widgets[index].node;
    const look = () => {
        const alt = cell.querySelector('.jp-OutputArea-output img')?.alt;
        if (alt && window.said.at(-1) !== alt) window.said.push(alt);
    };
    new MutationObserver(look).observe(cell, {childList: true, subtree: true, attributes: true});
}"""


def test_the_curves_grow_while_it_trains(lab, notebook):
    lab.write("run/run.ipynb", [START, FIT, "run.rate()"])
    opened = notebook("run/run.ipynb")
    opened.run(0)
    opened.page.evaluate(WATCH, 1)
    said = opened.run(1)
    drawn = opened.page.evaluate("window.said")
    assert opened.errors() == []
    assert len(drawn) >= 3, "the picture changed while it ran"
    reached = [
        int(alt.partition(" at ")[2].partition(" to ")[2].split()[2].strip(",.")) for alt in drawn
    ]
    assert reached == sorted(reached) and reached[-1] == 120
    first, last = (words.partition("validation: from ")[2] for words in (drawn[0], drawn[-1]))
    assert last and last != first
    assert "120 steps, the last with a loss of" in said
    assert opened.output(1).locator("img").count() == 1, "one picture, drawn anew"
    said = opened.cell(1).locator(".jp-OutputArea-output .widget-html").last
    assert said.evaluate("node => node.clientHeight") < 40, "the bar's words are on one line"
    opened.screenshot("training-run", opened.cell(1))
    opened.run(2)
    opened.screenshot("training-rate", opened.cell(2))
