import pytest
from subject import TemplateError, render


def test_values():
    assert render("Hello {{ name }}!", {"name": "Ann"}) == "Hello Ann!"
    assert render("{{a}}{{ b }}", {"a": 1, "b": None}) == "1"


def test_paths():
    assert render("{{ order.items.1.name }}", {"order": {"items": [{}, {"name": "pen"}]}}) == "pen"


def test_filters():
    assert render("{{ x|trim|upper }}", {"x": " hi "}) == "HI"
    assert render("{{ price | money }}", {"price": 1234.5}) == "1,234.50"


def test_for():
    text = "{% for n in names %}- {{ n }}\n{% end %}"
    assert render(text, {"names": ["a", "b"]}) == "- a\n- b\n"


def test_if():
    assert render("a{% if x %}b{% end %}c", {"x": 1}) == "abc"
    assert render("a{% if x %}b{% end %}c", {"x": []}) == "ac"


def test_nested():
    text = "{% for row in rows %}{% if row.show %}{{ row.name }};{% end %}{% end %}"
    assert render(text, {"rows": [{"show": 1, "name": "x"}, {"show": 0, "name": "y"}]}) == "x;"


def test_errors():
    for text in ("{{ y }}", "{{ x|shout }}", "{% if x %}", "{% end %}", "{% loop %}{% end %}"):
        with pytest.raises(TemplateError):
            render(text, {"x": 1})
