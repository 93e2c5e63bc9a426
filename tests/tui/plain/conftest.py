from __future__ import annotations

from tests.commands.conftest import _solved_and_kept, project, solved, treadle  # noqa: F401 - fixtures
from tests.tui.terminal import terminals  # noqa: F401 - a fixture
