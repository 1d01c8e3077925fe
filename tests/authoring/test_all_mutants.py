"""All mutants of all lessons, under many secrets: what a test sees must not hang on the draw."""

import os

import pytest
from the_course import COURSE

from autograder.authoring.prove.proofs import Scope, prove
from autograder.sandbox.runner import Runner


@pytest.mark.soak
@pytest.mark.parametrize("id", [lesson.id for lesson in COURSE.lessons])
def test_each_mutant_loses_points_under_twenty_secrets_and_is_red_in_the_check(id):
    """All mutants are tried under one secret, and under 19 more those whose fate could hang on it.

    A mutant that fails most of the hidden cases which it was tried with is tried once: no draw
    lets it pass all of them. The check has the same inputs for everyone.
    """
    scope = Scope(mutants=None, secrets=20, only_mutants=True)
    (report,) = prove([COURSE.lesson(id)], Runner, jobs=os.cpu_count() or 2, scope=scope)
    print(report.mutants.made, "mutants")
    assert report.faults[8] == []
