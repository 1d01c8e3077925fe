"""Derived: how each lesson's components are called."""
