"""All that knows nbgrader: its gradebook, the steps of its commands, its settings."""
