from tests.commands.conftest import solved  # noqa: F401 - a fixture
