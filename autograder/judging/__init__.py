"""Test results: evidence compared with the reference's; diagnoses: why a component fails."""
