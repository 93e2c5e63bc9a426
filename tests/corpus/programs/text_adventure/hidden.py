import random

import pytest
from subject import Command, Game, Room, Unknown, World, parse

WAYS = {
    "north": (0, -1, 0),
    "south": (0, 1, 0),
    "east": (1, 0, 0),
    "west": (-1, 0, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}


def cube():
    cells = [(x, y, z) for x in range(2) for y in range(2) for z in range(2)]
    world = World([Room(str(cell)) for cell in cells])
    for x, y, z in cells:
        for way in ("east", "south", "up"):
            a, b, c = WAYS[way]
            if (x + a, y + b, z + c) in cells:
                world.connect(str((x, y, z)), way, str((x + a, y + b, z + c)))
    return world, cells


def test_random_walks():
    rng = random.Random(0)
    for _ in range(20):
        world, cells = cube()
        world.rooms["(0, 0, 0)"].things |= {"axe", "bow", "cup"}
        game = Game(world, "(0, 0, 0)", carry=2)
        at, bag, places, moves = (0, 0, 0), set(), dict.fromkeys(("axe", "bow", "cup"), (0, 0, 0)), 0
        for _ in range(40):
            kind = rng.choice(["go", "take", "drop"])
            if kind == "go":
                way = rng.choice(sorted(WAYS))
                target = tuple(p + d for p, d in zip(at, WAYS[way], strict=True))
                said = game.do(rng.choice([way, way[0], f"go to the {way}", f"walk {way[0]}"]))
                if target in cells:
                    at, moves = target, moves + 1
                    assert said.startswith(f"{at}. ")
                else:
                    assert said == f"There is no way {way}."
            else:
                thing = rng.choice(["axe", "bow", "cup"])
                said = game.do(f"{kind} {thing}")
                if kind == "take" and places.get(thing) == at and len(bag) < 2:
                    assert said == "Taken."
                    bag.add(thing)
                    del places[thing]
                    moves += 1
                elif kind == "drop" and thing in bag:
                    assert said == "Dropped."
                    bag.remove(thing)
                    places[thing] = at
                    moves += 1
                else:
                    assert said.startswith(("There is no ", "Your bag is full", "You have no "))
            assert game.room.name == str(at)
            assert game.bag == bag
            assert game.moves == moves
        for cell in cells:
            assert world.steps_between(str(at), str(cell)) == sum(abs(p - q) for p, q in zip(at, cell, strict=True))


def test_words():
    for text, command in (
        ("get a lamp", ("take", "lamp")),
        ("LEAVE some red paint", ("drop", "red paint")),
        ("go d", ("go", "down")),
        ("go home", ("go", "home")),
        ("inventory", ("inventory", "")),
        ("i", ("inventory", "")),
        ("u", ("go", "up")),
        ("look around", ("look", "around")),
        ("west", ("go", "west")),
        ("w", ("go", "west")),
    ):
        assert parse(text) == Command(*command)
    for text, said in (
        (" ", "say something"),
        ("to the", "say something"),
        ("go", "go what"),
        ("drop the", "drop what"),
        ("north west", "how to north"),
        ("x", "how to x"),
    ):
        with pytest.raises(Unknown, match=said):
            parse(text)


def test_lists_of_things():
    game = Game(World([Room("r")]), "r", carry=9)
    assert game.look() == "r. You see nothing. Ways: nowhere."
    for thing, listed in (("b", "b"), ("a", "a and b"), ("c", "a, b and c")):
        game.bag.add(thing)
        assert game.do("i") == f"You carry {listed}."
    assert game.do("inventory") == "You carry a, b and c."


def test_what_is_no_move():
    game = Game(World([Room("r")]), "r")
    for text, said in (
        ("l", "r. You see nothing. Ways: nowhere."),
        ("jump", "I don't know how to jump"),
        ("", "say something"),
    ):
        assert game.do(text) == said
    assert game.do("drop x") == "You have no x."
    assert game.moves == 0


def test_keys():
    world = World([Room("a"), Room("b", key="k")])
    world.connect("a", "north", "b")
    game = Game(world, "b")
    assert game.do("s") == "a. You see nothing. Ways: north."
    assert game.do("n") == "It is locked."
    game.bag.add("k")
    assert game.do("n").startswith("b.")
    assert game.moves == 2


def test_connections():
    world = World([Room("a"), Room("b"), Room("c")])
    world.connect("a", "down", "b")
    for one, way, other in (("a", "down", "c"), ("c", "down", "b")):
        with pytest.raises(ValueError, match=f"the way {way} of {one} is taken"):
            world.connect(one, way, other)
    with pytest.raises(KeyError):
        world.connect("a", "left", "c")
    assert world.rooms["c"].exits == {}
    assert world.steps_between("a", "c") is None
    assert world.steps_between("a", "a") == 0
    assert Room("x").things is not Room("y").things
    assert Game(world, "a").carry == 3
