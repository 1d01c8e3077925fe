"""Lesson 14: what of it runs in the notebook."""
