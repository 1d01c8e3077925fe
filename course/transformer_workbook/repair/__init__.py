"""Finds the place of a mistake that nobody listed: a change of one place that makes cases pass.

The edits of the student's source, see `edits.candidates`, are tried on the cases that fail. One
that mends them shows where the mistake is, and of what kind; the sentence about it never shows the
changed code. (Program repair by generate and validate.)

- `search` tries them in the notebook; `probe` does in the grader's sandbox, and `found` reads what
  that returns. Both run them on a `bench`, within a `time_limit`.
- `line` tries more in one line, where it gives the first wrong value.
- `overfitting` refuses those that only go round the mistake, `choice` takes the likeliest.
- `words` says what was found.
"""
