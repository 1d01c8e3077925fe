"""Lesson 03: what of it runs in the notebook."""
