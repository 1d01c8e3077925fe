"""Number words, German to English: the story that many lessons share, and its translator."""
