"""Two lessons that students hand in, and what is found of what an LMS gives."""

import pytest

from autograder.submissions.collect import Collected, collect


@pytest.fixture(scope="session")
def hand_first(course, hand):
    """Makes submissions of lesson 01, as `hand` does of lesson 00."""
    return type(hand)(course, course.lesson("01-attention"))


@pytest.fixture
def found(course, tmp_path):
    """What is collected of a zip (bytes) or of files by path."""

    def found(source: bytes | dict[str, bytes], roster=None) -> Collected:
        path = tmp_path / "source"
        if isinstance(source, bytes):
            path = path.with_suffix(".zip")
            path.write_bytes(source)
        else:
            for name, content in source.items():
                file = path / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        return collect(path, course.lessons, roster)

    return found
