"""Locates a mistake that is not listed: searches for an edit that makes the failing cases pass.

The edits of the student's source, see `edits.candidates`, are tried on the failing cases. One that
fixes them shows where the mistake is, and of what kind; the sentence about it never shows the
changed code. (Program repair by generate and validate.)

- `search` tries edits in the notebook, and `search_probe` in the grader's sandbox; `found` reads
  what `search_probe` returns. Both run changed sources on a `workbench`, within a `time_limit`.
- `line` tries more edits of one line, that of the first wrong value.
- `overfitting` rejects edits that only hide the mistake, `choice` takes the likeliest.
- `describe_repair` describes the repair to the student.
"""
