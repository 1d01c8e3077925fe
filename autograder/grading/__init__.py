"""Grading: collect, repair, run, judge, record, report."""
