"""Lesson 10: what of it runs in the notebook."""
