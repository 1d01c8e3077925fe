"""Lesson 04: what of it runs in the notebook."""
