"""The autograder: builds the course, proves its checks, grades submissions."""

import sys

# jsonschema imports it for the format "iri", which no notebook has: its grammar takes seconds.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
