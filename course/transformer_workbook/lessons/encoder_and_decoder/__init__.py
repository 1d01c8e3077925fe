"""Lesson 07: what of it runs in the notebook."""
