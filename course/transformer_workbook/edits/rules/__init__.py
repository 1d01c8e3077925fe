"""The rules that generate edits, each from a syntax tree and a node of it.

The `mistakes_in_*` make mutants, and repairs too: the inverse of a mistake is mostly a mistake as
well. The `repairs_by_*` make repairs alone.
"""
