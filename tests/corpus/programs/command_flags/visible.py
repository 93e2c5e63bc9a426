import pytest
from subject import Command, Option, UsageError

COMMAND = Command(
    [Option("dry-run", kind=bool), Option("count", "n", kind=int, default=1), Option("tag", "t", many=True)],
    ["source", "targets..."],
)


def test_defaults():
    assert COMMAND.parse(["a"]) == {"dry_run": False, "count": 1, "tag": [], "source": "a", "targets": []}


def test_options():
    values = COMMAND.parse(["--dry-run", "-n", "3", "a", "--tag=x", "-t", "y", "b", "c"])
    assert values == {"dry_run": True, "count": 3, "tag": ["x", "y"], "source": "a", "targets": ["b", "c"]}


def test_double_dash():
    assert COMMAND.parse(["a", "--", "--dry-run", "-n"])["targets"] == ["--dry-run", "-n"]


def test_errors():
    for words in (["a", "--nope"], ["a", "-n"], ["a", "-n", "x"], ["a", "--dry-run=1"], []):
        with pytest.raises(UsageError):
            COMMAND.parse(words)


def test_required():
    command = Command([Option("user", required=True)])
    assert command.parse(["--user", "me"]) == {"user": "me"}
    with pytest.raises(UsageError):
        command.parse([])


def test_too_many_arguments():
    with pytest.raises(UsageError):
        Command(arguments=["one"]).parse(["a", "b"])


def test_single_dash():
    assert Command(arguments=["file"]).parse(["-"]) == {"file": "-"}


def test_lists_are_apart():
    COMMAND.parse(["a", "-t", "x"])
    assert COMMAND.parse(["a"])["tag"] == []
