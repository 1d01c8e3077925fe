"""The course, read once a process: its lessons remember what was made of them."""

from autograder.lesson.course import read_course

COURSE = read_course()
