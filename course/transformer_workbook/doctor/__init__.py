"""Diagnoses an installation and suggests fixes; works without torch."""
