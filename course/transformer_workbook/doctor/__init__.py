"""Diagnoses an installation and suggests repairs; works without torch."""
