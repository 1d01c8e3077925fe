"""Ends its process at once, with nothing flushed and nothing finished."""

import os

os._exit(0)
