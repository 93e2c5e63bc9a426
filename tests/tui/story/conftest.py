from tests.commands.conftest import _solved_and_kept, solved  # noqa: F401 - fixtures
