"""Confines a process, with the standard library alone: namespaces, limits, system calls."""
