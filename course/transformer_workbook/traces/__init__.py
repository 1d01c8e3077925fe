"""Finds the first intermediate value that is wrong, however many mistakes a component has.

While a failing case runs, the variables that the notebook names are watched. Their values are
compared with those that the reference and the listed right answers give them, which are recorded
with the course. (Fault localization by comparing executions.)

- `trace` watches the values that variables take.
- `values` writes and reads values, and compares them.
- `first_divergence` finds the first value that differs.
- `words` says which it is, and what is wrong with it.
"""
