"""The course with an address, as it is once it is published: for tests of what depends on that."""

import dataclasses

from autograder.lesson.course import read_course

PUBLISHED = dataclasses.replace(read_course(), repository="https://github.com/a-school/a-course")
