"""From the opened lesson 00 to its first passed check, as a new student gets there.

Every cell is run by Shift+Enter from the top, as the notebook says; each blank is double-clicked
and typed over. With -s, it prints what that takes besides reading and thinking (docs/authors.md
has the numbers).
"""

import time

from the_course import COURSE

LESSON = COURSE.lessons[0]
FIRST = next(iter(LESSON.components.values()))

BLANK = """cell => {
    const walker = document.createTreeWalker(cell.querySelector('.cm-content'), 4);
    while (walker.nextNode()) {
        const at = walker.currentNode.data.indexOf('____');
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + 4);
        const place = range.getBoundingClientRect();
        return [place.x + place.width / 2, place.y + place.height / 2];
    }
}"""


class Student:
    """Opens a notebook and goes through it; counts clicks and keys, and the seconds of waiting."""

    def __init__(self, notebook, path: str):
        self.clicks = self.keys = self.typed = 0
        before = time.perf_counter()
        self.opened = notebook(path)
        self.waited = {"to open it": time.perf_counter() - before}
        self.page = self.opened.page

    def begin(self) -> None:
        """Clicks on the notebook's first cell."""
        self.opened.cell(0).click()
        self.clicks += 1

    def run_next(self, index: int) -> None:
        """Shift+Enter on the cell that the notebook has come to."""
        before = time.perf_counter()
        self.page.keyboard.press("Shift+Enter")
        self.keys += 1
        if "jp-CodeCell" in self.opened.cell(index).get_attribute("class"):
            self.opened.wait_for_run(index)
        self.waited[index] = time.perf_counter() - before

    def fill(self, index: int, answers: list[str]) -> None:
        """Writes an answer over each blank, then clicks on the cell to go on from there."""
        for answer in answers:
            x, y = self.opened.cell(index).evaluate(BLANK)
            self.page.mouse.dblclick(x, y)
            self.clicks += 1
            self.page.keyboard.type(answer)
            self.typed += len(answer)


def test_a_new_student_passes_a_check_by_reading_from_the_top(notebook):
    student = Student(notebook, f"{LESSON.id}/{LESSON.name}.ipynb")
    cells = student.opened.save().cells
    answer = next(i for i, one in enumerate(cells) if one.source.startswith(f"def {FIRST.name}("))
    check = answer + 1
    assert cells[check].source.startswith("wb.check(")
    student.begin()
    for index in range(check + 1):
        if index == answer:
            student.fill(index, [blank.text for blank in FIRST.blanks])
        student.run_next(index)
    assert student.opened.errors() == []
    assert student.opened.text(check).startswith("✓"), student.opened.text(check)
    student.opened.screenshot("first-check", student.opened.cell(check))
    computing = sum(student.waited.values())
    slowest = sorted(student.waited.items(), key=lambda one: -one[1])[:3]
    print(
        f"\nfirst passed check: {computing:.0f} s of computing, {student.clicks} clicks, "
        f"{student.keys} times Shift+Enter, {student.typed} characters typed; the longest: "
        + ", ".join(f"{index}: {seconds:.1f} s" for index, seconds in slowest)
    )
