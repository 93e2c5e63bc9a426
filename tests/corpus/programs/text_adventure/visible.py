import pytest
from subject import Command, Game, Room, Unknown, World, parse


def world():
    one = World([Room("Hall", {"lamp", "old key", "rug"}), Room("Vault", {"gold"}, key="old key"), Room("Attic")])
    one.connect("Hall", "east", "Vault")
    one.connect("Hall", "up", "Attic")
    return one


def test_parse():
    assert parse("Take the old key") == Command("take", "old key")
    assert parse("walk to north") == ("go", "north")
    assert parse("n") == ("go", "north")
    assert parse("l") == ("look", "")


def test_parse_errors():
    for text in ("", "dance", "take", "the"):
        with pytest.raises(Unknown):
            parse(text)


def test_connect():
    one = world()
    assert one.rooms["Vault"].exits == {"west": "Hall"}
    with pytest.raises(ValueError):
        one.connect("Attic", "down", "Vault")


def test_steps():
    one = world()
    assert one.steps_between("Attic", "Vault") == 2
    assert World([Room("a"), Room("b")]).steps_between("a", "b") is None


def test_look():
    game = Game(world(), "Hall")
    assert game.do("look") == "Hall. You see lamp, old key and rug. Ways: east, up."
    assert game.do("up") == "Attic. You see nothing. Ways: down."


def test_locked():
    game = Game(world(), "Hall")
    assert game.do("go east") == "It is locked."
    assert game.do("get the old key") == "Taken."
    assert game.do("e").startswith("Vault.")
    assert game.moves == 2


def test_bag():
    game = Game(world(), "Hall", carry=1)
    game.do("take lamp")
    assert game.do("take rug") == "Your bag is full."
    assert game.do("i") == "You carry lamp."
    assert game.do("drop lamp") == "Dropped."
    assert game.do("drop lamp") == "You have no lamp."


def test_nonsense():
    game = Game(world(), "Hall")
    assert game.do("sing loudly") == "I don't know how to sing"
    assert game.do("west") == "There is no way west."
    assert game.do("take moon") == "There is no moon."
    assert game.moves == 0
