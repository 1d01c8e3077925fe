"""Lesson 01: what of it runs in the notebook."""
