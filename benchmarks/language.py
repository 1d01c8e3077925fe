"""How the lessons read, counted."""

import re
from collections import Counter
from collections.abc import Iterator

import nbformat
from markdown_it import MarkdownIt

from autograder.lesson.lesson import ROOT
from benchmarks import Measured, Say

# Counted once, by like rules: "The Illustrated Transformer", d2l.ai's chapter on attention (four
# sections), distill's "Attention and Augmented Recurrent Neural Networks".
OTHERS = ("Illustrated T.", "d2l", "distill")
WORD = r"[\w'’-]+"
PER_1000_WORDS = {  # what is counted: its pattern, and its figures in OTHERS
    "colons": (r":(?= \S)", (2.1, 1.8, 2.9)),  # inside a sentence
    "because": (r"\b(?:because|since|although|though|whereas|unless)\b", (2.1, 3.4, 2.5)),
    "is": (r"\b(?:is|are|was|were)\b", (27, 33, 20)),
    "we": (r"\bwe\b", (22, 18, 19)),
    "nobody": (r"\b(?:nobody|nothing|somebody)\b", (0.3, 0, 0)),
    "n't": (r"\w['’](?:t|re|ve|ll)\b", (9, 0, 2)),
}
OF_LENGTHS = {  # what is counted, of the sentences' numbers of words, and its figures in OTHERS
    "words": (lambda lengths: sum(lengths) / len(lengths), (17.9, 16.9, 17.2)),
    "≤ 6, %": (lambda lengths: 100 * sum(n <= 6 for n in lengths) / len(lengths), (6, 10, 3)),
    "≥ 25, %": (lambda lengths: 100 * sum(n >= 25 for n in lengths) / len(lengths), (22, 19, 15)),
}


def of_the_lessons(say: Say) -> Measured:
    """How the lessons read: sentences' lengths, and words per 1,000. A mirror, without targets.

    Counted are the paragraphs that stand open in the published notebooks: no headings, lists,
    tables, code, formulas and foldouts, and no line that three lessons or more have alike.
    """
    texts = {}
    for path in sorted((ROOT / "course").glob("[0-9]*/*.ipynb")):
        say(path.parent.name)
        paragraphs = _paragraphs(nbformat.read(path, as_version=4))
        texts[path.parent.name[:2]] = [line for text in paragraphs for line in _sentences(text)]
    lessons = Counter(line for text in texts.values() for line in set(text))
    texts = {name: [s for s in text if lessons[s] < 3] for name, text in texts.items()}
    texts["all"] = [sentence for text in texts.values() for sentence in text]
    counted = {**OF_LENGTHS, **PER_1000_WORDS}
    rows = [[name, *(f"{n:.1f}" for n in _figures(text))] for name, text in texts.items()]
    for place, name in enumerate(OTHERS):
        rows.append([name, *(str(figures[place]) for _, figures in counted.values())])
    return Measured(["", *counted], rows)


def _paragraphs(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """The words of the paragraphs that stand open: what is code or a formula is one word."""
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        open_text = re.sub(r"<details.*?</details>", "", cell.source, flags=re.DOTALL)
        open_text = re.sub(r"\$\$.*?\$\$", "", open_text, flags=re.DOTALL)
        tokens = MarkdownIt("commonmark").enable("table").parse(open_text)
        for before, token in zip(tokens, tokens[1:], strict=False):
            if before.type == "paragraph_open" and before.level == 0:
                inline = (
                    "x" if part.type == "code_inline" else part.content or " "
                    for part in token.children or ()
                    if part.type not in ("html_inline", "image")
                )
                yield re.sub(r"\$[^$]+\$", "x", "".join(inline))


def _sentences(paragraph: str) -> list[str]:
    return re.split(r"(?<!\b(?:al|Eq)\.)(?<=[.!?])[\"”’)]*\s+", " ".join(paragraph.split()))


def _figures(sentences: list[str]) -> list[float]:
    text = "\n".join(sentences)
    lengths = [n for sentence in sentences if (n := len(re.findall(WORD, sentence)))]
    return [of(lengths) for of, _ in OF_LENGTHS.values()] + [
        len(re.findall(pattern, text, re.IGNORECASE)) / sum(lengths) * 1000
        for pattern, _ in PER_1000_WORDS.values()
    ]
