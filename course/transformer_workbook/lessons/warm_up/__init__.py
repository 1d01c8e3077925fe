"""Lesson 00: what of it runs in the notebook."""
