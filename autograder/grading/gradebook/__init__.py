"""nbgrader's side: its gradebook, its converters, its settings."""
