"""Lesson 13: what of it runs in the notebook."""
