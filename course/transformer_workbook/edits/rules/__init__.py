"""The rules that generate edits, each from a syntax tree and a node of it."""
