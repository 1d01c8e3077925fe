"""Finds the place of a mistake that nobody listed: a change of one place that makes cases pass.

The student's own source is changed in one place at a time, by the rules that make mutants of right
answers and by some that add what may be missing. Each changed source is tried on the cases that
fail. A change that mends them shows where the mistake is, and of what kind; the sentence about it
never shows the changed code. (Program repair by generate and validate.)

- `candidates` makes the changed sources, the likeliest first.
- `rules` has the changes that only a repair makes.
- `search` tries them in the notebook. The grader tries them in its sandbox.
- `unused` refuses those that only go round the mistake.
- `words` says what was found.
"""
