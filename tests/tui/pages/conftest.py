from tests.commands.conftest import _solved_and_kept, solved  # noqa: F401 - fixtures
from tests.tui.screen.conftest import home, project  # noqa: F401 - fixtures
