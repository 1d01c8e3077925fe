"""Saves what can be graded of files that are no whole notebook, within bounds."""
