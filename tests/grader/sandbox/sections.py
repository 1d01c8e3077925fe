"""Files of students' cells, in sections: `# %% NAME` begins one.

What stands before the first section is a cell for each. In a section, what stands before its line
`# --- answer` is a cell of the student's own; what follows, or all where there is no such line,
is for the reader of the file to place.
"""

import re
from pathlib import Path

ANSWER = "# --- answer\n"


def sections(path: Path) -> dict[str, str]:
    """The text of each section by its name; under "" what stands before the first."""
    first, *parts = re.split(r"^# %% (.+)\n", path.read_text(encoding="utf-8"), flags=re.M)
    return {"": first, **dict(zip(parts[::2], parts[1::2], strict=True))}
