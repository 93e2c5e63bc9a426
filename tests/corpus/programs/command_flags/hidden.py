import random

import pytest
from subject import Command, Option, UsageError

COMMAND = Command(
    [
        Option("all", "a", kind=bool),
        Option("size", "s", kind=int, default=9),
        Option("in-dir", kind=str),
        Option("x", "x", kind=float, many=True),
    ],
    ["first", "second", "rest..."],
)


def test_random_command_lines():
    rng = random.Random(0)
    for _ in range(100):
        expected = {"all": False, "size": 9, "in_dir": None, "x": []}
        pieces = []
        plain = [rng.choice(["p", "q=r", "-", ""]) for _ in range(rng.randint(2, 5))]
        for _ in range(rng.randint(0, 5)):
            kind = rng.choice(["all", "size", "in_dir", "x"])
            number = rng.randint(-5, 5)
            if kind == "all":
                pieces.append([rng.choice(["--all", "-a"])])
                expected["all"] = True
            elif kind == "size":
                pieces.append(rng.choice([[f"--size={number}"], ["-s", str(number)], [f"-s={number}"]]))
                expected["size"] = number
            elif kind == "in_dir":
                pieces.append(rng.choice([["--in-dir", "--all"], ["--in-dir=--all"]]))
                expected["in_dir"] = "--all"
            else:
                pieces.append(rng.choice([["-x", f"{number}.5"], [f"--x={number}.5"]]))
                expected["x"].append(float(f"{number}.5"))
        words = []
        slots = sorted(rng.randint(0, len(pieces)) for _ in plain)
        for place in range(len(pieces) + 1):
            words += [word for word, slot in zip(plain, slots, strict=True) if slot == place]
            words += pieces[place] if place < len(pieces) else []
        copy = list(words)
        expected |= {"first": plain[0], "second": plain[1], "rest": plain[2:]}
        assert COMMAND.parse(words) == expected
        assert words == copy


def test_messages():
    for words, said in (
        (["a", "b", "--alll"], "unknown option --alll"),
        (["a", "b", "-q=1"], "unknown option -q"),
        (["a", "b", "--size"], "--size needs a value"),
        (["a", "b", "-s", "1.5"], "-s: '1.5' is not possible"),
        (["a", "b", "-a="], "-a takes no value"),
        (["a"], "second is missing"),
        ([], "first is missing"),
        (["--"], "first is missing"),
        (["--in-dir", "x", "--", "a"], "second is missing"),
    ):
        with pytest.raises(UsageError, match=said):
            COMMAND.parse(words)
    with pytest.raises(UsageError, match="b was not expected"):
        Command(arguments=["one"]).parse(["a", "b", "c"])
    with pytest.raises(UsageError, match="unknown option -"):
        Command([Option("y")]).parse(["-y"])


def test_required():
    command = Command([Option("a-b", required=True, kind=int), Option("c", required=True, many=True)])
    assert command.parse(["--c", "1", "--a-b", "0"]) == {"a_b": 0, "c": ["1"]}
    with pytest.raises(UsageError, match="--c is required"):
        command.parse(["--a-b=1"])
    with pytest.raises(UsageError, match="--a-b is required"):
        command.parse(["--c="])


def test_values_with_equals():
    assert Command([Option("set")]).parse(["--set=a=b"]) == {"set": "a=b"}
    assert Command([Option("set")]).parse(["--set", "a=b"]) == {"set": "a=b"}
    assert Command([Option("set", default="d")]).parse(["--set="]) == {"set": ""}
    assert Command(arguments=["r..."]).parse(["--", "--", "x"]) == {"r": ["--", "x"]}
    assert Command().parse([]) == {}
