import random

import pytest
from subject import TemplateError, render


def build(rng, depth, values):
    """A random template and what it should become."""
    text, expected = "", ""
    for _ in range(rng.randint(0, 4)):
        kind = rng.choice(["plain", "value", "if", "for"]) if depth else rng.choice(["plain", "value"])
        if kind == "plain":
            piece = rng.choice(["x ", "\n", "{", "} ", "% "])
            text, expected = text + piece + " ", expected + piece + " "
        elif kind == "value":
            name = rng.choice(sorted(values))
            text, expected = text + "{{ " + name + " }}", expected + str(values[name])
        elif kind == "if":
            name = rng.choice(["yes", "no"])
            inner, filled = build(rng, depth - 1, values)
            text, expected = (
                text + "{% if " + name + " %}" + inner + "{%end%}",
                expected + (filled if name == "yes" else ""),
            )
        else:
            inner, filled = build(rng, depth - 1, values)
            text, expected = text + "{% for i in two %}" + inner + "{% end %}", expected + filled * 2
    return text, expected


def test_random_templates():
    rng = random.Random(0)
    for _ in range(80):
        values = {"yes": 1, "no": 0, "word": "w", "two": [5, 5]}
        text, expected = build(rng, 3, values)
        assert render(text, values) == expected


def test_loop_values_stay_inside():
    values = {"x": "out", "list": [1, 2]}
    assert render("{% for x in list %}{{ x }}{% end %}{{ x }}", values) == "12out"
    assert values == {"x": "out", "list": [1, 2]}
    text = "{% for r in rows %}{% for c in r %}{{ c }},{% end %};{% end %}"
    assert render(text, {"rows": [[1, 2], [], [3]]}) == "1,2,;;3,;"


def test_filters():
    assert render("{{ x | title }}", {"x": "two words"}) == "Two Words"
    assert render("{{ n|money }}", {"n": "1000000"}) == "1,000,000.00"
    assert render("{{ n | upper }}", {"n": None}) == ""


def test_lookups():
    assert render("{{ a.0 }}{{ a.-1 }}", {"a": [1, 2, 3]}) == "13"
    assert render("{{ a.0 }}", {"a": {"0": "zero"}}) == "zero"
    for path in ("a.3", "a.x", "b", "a.0.c", "d.e"):
        with pytest.raises(TemplateError, match=f"no value for {path}"):
            render("{{ " + path + " }}", {"a": [1, 2, 3], "d": {}})


def test_messages():
    for text, said in (
        ("{% if a %}x", "no end"),
        ("x{% end %}", "without a block"),
        ("{% for a of b %}{% end %}", "can't read for a of b"),
        ("{% if %}{% end %}", "can't read if"),
        ("{% if a b %}{% end %}", "can't read"),
        ("{% while a %}{% end %}", "can't read"),
        ("{{ a|nope }}", "unknown filter nope"),
        ("{% if a %}{% if a %}{% end %}", "no end"),
    ):
        with pytest.raises(TemplateError, match=said):
            render(text, {"a": 1})
    assert render("", {}) == ""
    assert render("{% if a %}{{ missing }}{% end %}", {"a": 0}) == ""
