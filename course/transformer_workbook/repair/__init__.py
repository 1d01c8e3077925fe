"""Locates a mistake that is not listed: searches for an edit that makes the failing cases pass.

The edits of the student's source, see `edits.candidates`, are tried on the failing cases. One that
fixes them shows where the mistake is, and of what kind; the sentence about it never shows the
changed code. (Program repair by generate and validate.)

- `search` tries edits in the notebook, and `search_probe` in the grader's sandbox. Changed sources
  run on a `candidate_runner`.
- `overfitting` rejects edits that only hide the mistake, and `found_repair` those that say too
  little; it describes the others to the student.
"""
