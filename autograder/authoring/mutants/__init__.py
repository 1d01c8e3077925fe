"""Mutants: right answers changed in one place by rule, as people change them by mistake.

- `edit` has the one type, and the families of kinds
- `mistakes_in_*` generate edits
- `source` has a program's tree and writes what a rule has changed; `scopes` and `torch_facts` have
  what rules know of names and of torch
- `mutants` chooses among the edits of a right answer
"""
