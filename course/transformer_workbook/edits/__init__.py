"""Edits: programs that differ from another one in one place.

A mutant is an edit of a right answer, made by rule as people make it by mistake. A candidate is an
edit of a student's answer: where it makes failing cases pass, it tells where a mistake is, and of
what kind. (Mutation testing; program repair by generate and validate.)

- `edit` has the one type, and the table of all kinds with their sentences.
- `rules` generate edits: the `mistakes_in_*` for both, `repairs_by_addition` for candidates.
- `source` has a program's tree and writes what a rule has changed; `scopes` and `torch_facts` have
  what rules know of names and of torch.
- `mutants` and `candidates` choose among the edits of a right answer and of a student's.
"""
