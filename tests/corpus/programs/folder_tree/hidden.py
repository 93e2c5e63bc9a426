import random

import pytest
from subject import build, draw, largest, show_size, size_of


def files(rng):
    found = {}
    for n in range(rng.randint(0, 8)):
        folders = [rng.choice("ABc") for _ in range(rng.randint(0, 3))]
        found["/".join([*folders, f"f{n}"])] = rng.randint(0, 5000)
    return found


def test_random_trees():
    rng = random.Random(0)
    for _ in range(60):
        given = files(rng)
        tree = build(given)
        assert size_of(tree) == sum(given.values())
        ranked = sorted(given.items(), key=lambda item: (-item[1], item[0]))
        for number in (0, 1, 3):
            assert largest(tree, number) == ranked[:number]
        lines = draw(tree)
        folders = {path.rsplit("/", n)[0] for path in given for n in range(1, path.count("/") + 1)}
        assert len(lines) == len(given) + len(folders)
        for depth in (1, 2, 3):
            shallow = [line for line in lines if len(line.split("-- ")[0]) < 4 * depth]
            assert draw(tree, depth) == shallow
        stack, seen, order = [], [], []
        for line in lines:
            level = (len(line.split("-- ")[0]) - 1) // 4
            name, _, size = line.split("-- ", 1)[1].partition(" (")
            stack = [*stack[:level], name.rstrip("/")]
            path = "/".join(stack)
            if name.endswith("/"):
                inside = sum(s for p, s in given.items() if p.startswith(path + "/"))
                assert size == show_size(inside) + ")"
            else:
                seen.append(path)
                assert size == show_size(given[path]) + ")"
            order.append(("/".join(stack[:-1]), not name.endswith("/"), name.lower()))
        assert sorted(seen) == sorted(given)
        for parent in {o[0] for o in order}:
            own = [o for o in order if o[0] == parent]
            assert own == sorted(own)


def test_lines_of_the_drawing():
    tree = build({"b/x": 1, "b/y/z": 1, "a/q": 1})
    assert draw(tree) == [
        "|-- a/ (1 B)",
        "|   `-- q (1 B)",
        "`-- b/ (2 B)",
        "    |-- y/ (1 B)",
        "    |   `-- z (1 B)",
        "    `-- x (1 B)",
    ]
    assert draw({}) == []


def test_sizes():
    for size, text in (
        (0, "0 B"),
        (1024, "1.0 KB"),
        (1024**2 - 1, "1024.0 KB"),
        (1024**2, "1.0 MB"),
        (1024**4, "1024.0 GB"),
    ):
        assert show_size(size) == text


def test_paths():
    assert build({"/a//b/": 1}) == {"a": {"b": 1}}
    assert build({}) == {}
    with pytest.raises(ValueError, match="a/b/c leads through a file"):
        build({"a/b": 1, "a/b/c": 1})
    with pytest.raises(ValueError, match="/a is there twice"):
        build({"a": 1, "/a": 1})


def test_three_by_default():
    assert largest(build({"a": 1, "b": 2, "c": 3, "d": 4})) == [("d", 4), ("c", 3), ("b", 2)]
