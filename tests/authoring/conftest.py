"""A toy course of one lesson, written into a folder of its own, that tests break on purpose."""

import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.authoring.course import Course, read_course

FILES = {
    "lesson.py": """
        # %% [markdown]
        # ## Heads

        # %% answer="split_heads"

        # %% check="split_heads"

        # %% answer="bug_hunt_1"

        # %% check="bug_hunt_1"

        # %% [markdown] question="1" points="2"
        # Why?

        # %% [markdown] rubric="1"
        # Because.
    """,
    "blanks.toml": """
        forbidden = ["torch.einsum"]

        [[component]]
        name = "split_heads"
        right = [{ name = "unflattened", code = '''
        def split_heads(x, num_heads):
            return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
        ''' }]

        [[component.blank]]
        name = "cut"
        address = "split_heads:cut:x.view(batch, length, num_heads, d_k)"
        hints = ["one", "two", "three"]
        right = ["x.reshape(batch, length, num_heads, d_k)"]
        wrong = [
            { name = "cut-reversed", filling = "x.view(batch, length, d_k, num_heads).transpose(2, 3)", says = "Each head takes every so many features." },
        ]

        [[component.blank]]
        name = "heads"
        address = "split_heads:heads:cut.transpose(1, 2)"
        hints = ["one", "two", "three"]
        wrong = [
            { name = "not-swapped", filling = "cut", says = "Length and heads did not swap." },
            { name = "viewed", filling = "cut.view(batch, num_heads, length, d_k)", says = "view mixes." },
            { name = "misspelt", filling = "cut.transpos(1, 2)", says = "It is spelt transpose." },
        ]

        [[bug_hunt]]
        name = "bug_hunt_1"
        defines = "share"
        hints = ["one", "two", "three"]
        bugs = [
            { name = "wrong-axis", right = "dim=1", broken = "dim=0", says = "The rows sum to 1." },
            { name = "no-copy", right = "x / ", broken = "x.sqrt() / ", says = "No root." },
        ]
    """,  # noqa: E501
    "bug_hunt_1.py": """
        def share(x):
            return x / x.sum(dim=1, keepdim=True)
    """,
    "probes.py": '''
        """Toy probes."""


        def cut(split_heads, x, num_heads):
            return {"heads": split_heads(x, num_heads)}


        def share(share, x):
            return {"shares": share(x)}
    ''',
    "visible.py": """
        from autograder.authoring.cases import Case


        def cases(draw):
            return {
                "split_heads": [cut(draw, "small", 2, 3, 2, 5)],
                "bug_hunt_1": [share(draw, "small", 2, 3)],
            }


        def cut(draw, name, batch, length, heads, d_k):
            inputs = {"x": draw.normal(batch, length, heads * d_k), "num_heads": heads}
            return Case(name, "cut", inputs, says="a small one", control="not-swapped")


        def share(draw, name, *shape):
            return Case(name, "share", {"x": draw.normal(*shape).abs() + 1}, says="a small one")
    """,
    "hidden.py": """
        from autograder.authoring.cases import Test

        from .visible import cut, share


        def tests(draw):
            cases = [cut(draw, "hidden odd", 3, 4, 3, 2), cut(draw, "hidden one", 1, 5, 4, 2)]
            return {
                "split_heads": [Test("cutting", 3, cases=cases)],
                "bug_hunt_1": [Test("sharing", 2, cases=[share(draw, "hidden wide", 3, 5)])],
            }
    """,
}


@dataclass
class Toy:
    """A toy course in a folder laid out as the repository is."""

    root: Path

    @property
    def folder(self) -> Path:
        return self.root / "autograder" / "lessons" / "00-toy"

    def replace(self, file: str, old: str, new: str) -> None:
        """Break (or mend) one file; `old` must be there."""
        path = self.folder / file
        text = path.read_text()
        assert text.count(old) >= 1, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new, 1))

    def course(self) -> Course:
        autograder = self.root / "autograder"
        return read_course(autograder / "course.toml", autograder / "lessons")


@pytest.fixture(scope="session")
def write_toy():
    """Writes the toy course into a folder."""

    def write(root: Path) -> Toy:
        toy = Toy(root)
        toy.folder.mkdir(parents=True)
        for name, text in FILES.items():
            (toy.folder / name).write_text(textwrap.dedent(text).lstrip())
        (root / "autograder" / "course.toml").write_text(
            'title = "Toy"\nrepository = "https://github.com/OWNER/REPO"\nbranch = "main"\n'
            'tag = "main"\nlessons = [{ folder = "00-toy", title = "Toy" }]\n'
        )
        return toy

    return write


@pytest.fixture
def toy(tmp_path, write_toy) -> Toy:
    return write_toy(tmp_path)
