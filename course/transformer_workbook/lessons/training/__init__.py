"""Lesson 09: what of it runs in the notebook."""
