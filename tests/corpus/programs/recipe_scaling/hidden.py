import random
from fractions import Fraction

import pytest
from subject import amount, for_people, scale, shopping_list, show

SIGNS = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3)}


def read(text):
    if text[-1] in SIGNS:
        return Fraction(text[:-1] or 0) + SIGNS[text[-1]]
    return Fraction(text)


def test_shown_values():
    for top in range(40):
        for bottom in (1, 2, 3, 4, 5, 8):
            value = Fraction(top, bottom)
            text = show(value)
            assert abs(read(text) - value) <= Fraction(1, 200)
            if bottom < 5:
                assert read(text) == value
            assert not text.startswith("0") or value == 0 or (value < 1 and text.startswith("0."))


def test_amounts():
    rng = random.Random(0)
    for _ in range(60):
        whole, top, bottom = rng.randint(1, 9), rng.randint(1, 5), rng.randint(1, 6)
        assert amount(f"{whole} {top}/{bottom}") == whole + Fraction(top, bottom)
        assert amount(f"{top}/{bottom}") == Fraction(top, bottom)
        factor = Fraction(rng.randint(1, 9), rng.choice([1, 2, 4]))
        scaled = scale(f"{whole} onions", factor)
        assert scaled == f"{show(whole * factor)} onions"
        assert scale(f"  {whole} kg rice ", factor) == f"{show(whole * factor)} kg rice"


def test_units():
    assert scale("999 ml milk", Fraction(1)) == "999 ml milk"
    assert scale("1000 ml milk", Fraction(1)) == "1 l milk"
    assert scale("2 tsp oil", Fraction(2)) == "1⅓ tbsp oil"
    assert scale("2 tsp oil", Fraction(1)) == "2 tsp oil"
    assert scale("1000 g x", Fraction(1, 2)) == "500 g x"
    assert scale("4 garlic cloves", Fraction(1)) == "4 garlic cloves"
    assert scale("3 large eggs", Fraction(1, 2)) == "1½ large eggs"
    assert scale("5000 kg x", Fraction(1)) == "5000 kg x"


def test_without_amounts():
    assert scale("  salt ", Fraction(9)) == "salt"
    assert scale("7", Fraction(2)) == "7"
    assert scale("", Fraction(2)) == ""


def test_recipes_are_left_alone():
    recipe = {"people": 2, "lines": ["2 eggs"]}
    other = for_people(recipe, 3)
    other["lines"].append("x")
    assert recipe == {"people": 2, "lines": ["2 eggs"]}
    assert other == {"people": 3, "lines": ["3 eggs", "x"]}
    for people in (0, -1):
        with pytest.raises(ValueError, match="one at least"):
            for_people(recipe, people)


def test_shopping():
    assert shopping_list([]) == []
    assert shopping_list([{"lines": ["salt", "1/2 l milk"]}, {"lines": ["salt", "1 1/4 l milk"]}]) == [
        "1¾ l milk",
        "salt",
    ]
    assert shopping_list([{"lines": ["1 onion", "0.5 onion", "1 tsp salt", "1 tbsp salt"]}]) == [
        "1½ onion",
        "1 tbsp salt",
        "1 tsp salt",
    ]


def test_a_whole_kilogram():
    assert scale("1000 g x", Fraction(1)) == "1 kg x"
    assert scale("999 g x", Fraction(1)) == "999 g x"
    assert show(Fraction(5, 4)) == "1¼"
    assert show(Fraction(2, 3)) == "⅔"
    assert for_people({"people": 2, "lines": ["4 eggs"]}, 1)["lines"] == ["2 eggs"]
