"""The course, read once a process: its lessons remember what was made of them.

PUBLISHED has an address, as once it is published, for tests of what depends on that.
"""

import dataclasses

from autograder.lesson.course import read_course

COURSE = read_course()
PUBLISHED = dataclasses.replace(COURSE, repository="https://github.com/a-school/a-course")
