"""Pictures and widgets of the course: every function returns something to look at and to read."""

from .heat_maps import alignment, heads, heat_map
from .lines import curves
from .picture import Picture

__all__ = ["Picture", "alignment", "curves", "heads", "heat_map"]
