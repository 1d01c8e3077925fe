"""What tests of the whole course share."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def _zygote(zygote):
    """Most of these tests run submissions."""
