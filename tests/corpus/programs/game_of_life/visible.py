from subject import draw, fate, neighbours, parse, step

BLINKER = parse("OOO")
BLOCK = parse("OO\nOO")
GLIDER = parse(".O.\n..O\nOOO")


def test_parse():
    assert parse("O.\n.O") == {(0, 0), (1, 1)}


def test_neighbours():
    assert len(set(neighbours((5, 5)))) == 8
    assert (5, 5) not in neighbours((5, 5))


def test_blinker():
    assert step(BLINKER) == {(-1, 1), (0, 1), (1, 1)}
    assert step(step(BLINKER)) == BLINKER


def test_block():
    assert step(BLOCK) == BLOCK


def test_glider_moves():
    cells = GLIDER
    for _ in range(4):
        cells = step(cells)
    assert cells == {(row + 1, column + 1) for row, column in GLIDER}


def test_draw():
    assert draw(GLIDER) == ".O.\n..O\nOOO"
    assert draw({(7, 7)}, margin=1) == "...\n.O.\n..."
    assert draw(set()) == ""


def test_fate():
    assert fate(BLOCK) == ("still", 0)
    assert fate(BLINKER) == ("repeats", 2)
    assert fate(parse("OO")) == ("dies", 1)
    assert fate(GLIDER, longest=20) == ("unknown", 20)
