"""All that knows nbgrader: its gradebook, its preprocessors and converters, its settings."""
