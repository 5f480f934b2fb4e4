"""What several tests of the server ask for."""

import pytest

from viz_app.server.bringing import FROM_HERE


@pytest.fixture
def here():
    """A visitor who sits at the computer that serves."""
    token = FROM_HERE.set(True)
    yield
    FROM_HERE.reset(token)
