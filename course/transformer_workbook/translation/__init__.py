"""From sentences to a translation model, around the student's own components (lesson 11)."""
