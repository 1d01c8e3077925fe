"""What folders of students may be called: alone, and as pieces of longer names."""

from hypothesis import strategies as st

PIECES = [
    ".", "..", " ", "\u00a0", "\u2003", "a", "A", "ann", "Ann", "é", "e\u0301", "\u212b", "\u00c5",
    "A\u030a", "ß", "ss", "ﬁ", "\x01", "\x07", "\t", "\n", "\x1c", "\x7f", "\x85", "\u2028",
    "\u202e", "\u200f", "\u200b", "\ufeff", "\\", "\\x07", "\\x0", "\\u00e", ":", "*", "'", "<b>",
    "{0}", "%s", "-", "😀", "👩\u200d💻", "李", "x" * 119, "ж" * 80, "😀" * 30, "\udcff", "unnamed",
    "(z)", "… abcdefab", "~$", "collected.csv", "roster.csv", "Thumbs.db", "=cmd", "[a-z]",
    "$HOME", "`",
]  # fmt: skip
NAMES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join) | st.text(
    st.characters(exclude_characters="/\0+", exclude_categories=("Nd",)), min_size=1, max_size=12
)
# Some are another's name to a file system, or a folder of the grader's own.
ALIKE = (" ..", " .", "..\u00a0", "\u00a0..", "x ", " x", "X", "work", "seed", "A\u030a", "\u00c5")
