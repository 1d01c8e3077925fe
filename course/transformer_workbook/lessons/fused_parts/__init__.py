"""Lesson 12: what of it runs in the notebook."""
