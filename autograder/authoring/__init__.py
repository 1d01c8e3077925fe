"""For authors: derives what is derived, proves the lessons, publishes the course."""
