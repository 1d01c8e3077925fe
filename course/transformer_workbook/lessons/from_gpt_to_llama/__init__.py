"""Lesson 15: what of it runs in the notebook."""
