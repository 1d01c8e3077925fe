"""Lesson 08: what of it runs in the notebook."""
