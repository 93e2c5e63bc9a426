import random

from subject import draw, fate, neighbours, parse, step


def reference(alive):
    rows = range(-1, 9)
    result = set()
    for r in rows:
        for c in rows:
            near = sum((r + a, c + b) in alive for a in (-1, 0, 1) for b in (-1, 0, 1)) - ((r, c) in alive)
            if near == 3 or (near == 2 and (r, c) in alive):
                result.add((r, c))
    return result


def test_random_cells():
    rng = random.Random(0)
    for _ in range(25):
        alive = {(rng.randint(0, 6), rng.randint(0, 6)) for _ in range(rng.randint(0, 22))}
        copy = set(alive)
        assert step(alive) == reference(alive)
        assert alive == copy
        moved = {(r - 50, c + 9) for r, c in alive}
        assert step(moved) == {(r - 50, c + 9) for r, c in step(alive)}
        if alive:
            top, left = min(r for r, _ in alive), min(c for _, c in alive)
            for margin in (0, 2):
                assert parse(draw(alive, margin)) == {(r - top + margin, c - left + margin) for r, c in alive}


def test_fates():
    assert fate(set()) == ("dies", 0)
    assert fate(parse("O")) == ("dies", 1)
    assert fate(parse("OO\nO.")) == ("still", 1)
    assert fate(parse("O..\n.O.\n..O")) == ("dies", 2)
    toad = parse(".OOO\nOOO.")
    assert fate(toad) == ("repeats", 2)
    assert fate(parse("OO..\nO...\n...O\n..OO")) == ("repeats", 2)
    assert fate(parse("OOOO")) == ("still", 2)
    assert fate(parse("OOOO"), longest=2) == ("unknown", 2)
    assert fate(parse("OOOO"), longest=3) == ("still", 2)


def test_late_repeat():
    tee = parse("OOO\n.O.")
    assert fate(tee) == ("repeats", 2)
    assert fate(parse("OOOOOOOOOO")) == ("repeats", 15)


def test_neighbours():
    assert sorted(neighbours((0, 0))) == [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
    assert draw(set(), margin=3) == ""
    assert parse("") == parse("..\no") == set()


def test_drawings():
    assert draw({(3, 4)}) == "O"
    assert draw({(0, 0), (1, 2)}) == "O..\n..O"
    assert draw({(0, 0), (0, 1)}, margin=2) == "......\n......\n..OO..\n......\n......"
    assert fate(parse(".O.\n..O\nOOO")) == ("unknown", 100)
