"""How each lesson's components are called: a module for each lesson, by its name."""
