from fractions import Fraction

import pytest
from subject import amount, for_people, scale, shopping_list, show


def test_amount():
    assert amount("1 1/2") == Fraction(3, 2)
    assert amount("0.25") == Fraction(1, 4)


def test_show():
    assert show(Fraction(3, 2)) == "1½"
    assert show(Fraction(1, 4)) == "¼"
    assert show(Fraction(4)) == "4"
    assert show(Fraction(1, 8)) == "0.12"


def test_scale():
    assert scale("200 g flour", Fraction(3, 2)) == "300 g flour"
    assert scale("1 1/2 tsp salt", Fraction(1, 2)) == "¾ tsp salt"
    assert scale("3 eggs", Fraction(2)) == "6 eggs"


def test_larger_units():
    assert scale("500 g flour", Fraction(3)) == "1½ kg flour"
    assert scale("1 tsp salt", Fraction(3)) == "1 tbsp salt"


def test_without_amount():
    assert scale("some pepper", Fraction(2)) == "some pepper"


def test_for_people():
    recipe = {"name": "soup", "people": 4, "lines": ["1 l water", "salt"]}
    assert for_people(recipe, 6) == {"name": "soup", "people": 6, "lines": ["1½ l water", "salt"]}
    assert recipe["people"] == 4
    with pytest.raises(ValueError):
        for_people(recipe, 0)


def test_shopping_list():
    recipes = [{"lines": ["100 g flour", "2 eggs"]}, {"lines": ["50 g flour", "1 eggs", "1 kg flour"]}]
    assert shopping_list(recipes) == ["3 eggs", "150 g flour", "1 kg flour"]
