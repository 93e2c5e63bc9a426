from tests.commands.conftest import _solved_and_kept, solved, treadle  # noqa: F401 - fixtures
from tests.tui.screen.conftest import home, project, service, solved_here  # noqa: F401 - as above
