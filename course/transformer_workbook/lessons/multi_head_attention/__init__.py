"""Lesson 02: what of it runs in the notebook."""
