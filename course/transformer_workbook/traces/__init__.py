"""Finds the first intermediate value that is wrong, however many mistakes a component has.

While a failing case runs, the variables that the notebook names are watched. Their values are
compared with those that the reference and the listed right answers give them, which are recorded
with the course. (Fault localization by comparing executions.)

- `trace` records the values that variables take.
- `values` writes and reads values, and compares them.
- `divergence` finds the first value that differs.
- `reference_traces` reads the values of right answers that ship with the course.
- `describe_divergence` describes the wrong value to the student.
"""
