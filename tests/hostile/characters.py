"""Characters that nobody sees, or that end a line for some readers and not for others."""

CHARACTERS = [
    *map(chr, range(0x20)),  # NUL, tab, vertical tab, form feed, escape, ...
    "\r\n",
    "\x7f",
    "\x85",
    "\xa0",  # a space that does not break
    "\xad",
    "\u200b",  # a space without width
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2060",
    "\u3000",
    "\ufeff",  # a byte order mark
]
