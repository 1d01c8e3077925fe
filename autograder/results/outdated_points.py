"""Results that count out of other points than their lesson has now, beside some that do not.

They come of points that were changed in the course before only a part of a class was graded again.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from autograder.language import ngettext
from autograder.lesson.lesson import Lesson

from .submission import SAME, SubmissionResult
from .tables import number


def outdated_points(results: Sequence[SubmissionResult], lessons: Iterable[Lesson]) -> list[str]:
    """What results of a lesson still count out of, where others of it count out of other points."""
    told = []
    for lesson in lessons:
        of_lesson = [result for result in results if result.lesson == lesson.id]
        if len({number(result.max_score) for result in of_lesson}) < 2:
            continue
        now = sum(lesson.points().values())
        # What answers in prose are out of is the gradebook's, and the same for all.
        counts = Counter(
            (number(result.max_total), number(result.max_total - result.max_score + now))
            for result in of_lesson
            if abs(result.max_score - now) > SAME
        )
        for (before, after), count in counts.items():
            message = ngettext(
                "{count} result of {lesson} still counts out of {before}; grade everything again "
                "to bring it to {after}.",
                "{count} results of {lesson} still count out of {before}; grade everything again "
                "to bring them to {after}.",
                count,
            )
            told.append(message.format(count=count, lesson=lesson.id, before=before, after=after))
    return told
