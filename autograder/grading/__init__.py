"""Grades one submission, here or on a cluster: runs it, judges it, adds remarks."""
