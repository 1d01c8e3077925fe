"""Which of two attempts came later, and which came with another lesson's assignment."""

from autograder.results.handed_in import HandedIn


def is_newer(now: HandedIn, before: HandedIn) -> bool | None:
    """Whether something was handed in after what was `before`; None where nothing tells.

    Canvas numbers all that is handed in. Moodle's worksheet has one time for whatever zip it is
    given with, so an equal time may be that of another attempt.
    """
    if now.source == before.source == "canvas" and now.attempt and before.attempt:
        return now.attempt >= before.attempt
    may_be_another = now.submitted == before.submitted and now.source == "moodle"
    if now.submitted and before.submitted and not may_be_another:
        return now.submitted >= before.submitted
    return None if before.submitted else True


def came_astray(row: HandedIn) -> bool:
    """Whether it was handed in with the assignment of another lesson, and nothing tells when.

    Canvas numbers all that is handed in, so there the newest counts wherever it was handed in.
    """
    return row.assignment not in ("", row.lesson) and row.source != "canvas"
