"""Lesson 06: what of it runs in the notebook."""
