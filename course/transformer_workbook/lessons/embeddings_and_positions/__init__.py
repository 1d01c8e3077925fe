"""Lesson 05: what of it runs in the notebook."""
