import pytest
from subject import TaxTable

TABLE = TaxTable([(10000, 20), (50000, 40), (20000, 30)])


def test_tax():
    assert TABLE.tax(8000) == 0
    assert TABLE.tax(15000) == 1000
    assert TABLE.tax(60000) == 15000


def test_tax_on_the_border():
    assert TABLE.tax(10000) == 0
    assert TABLE.tax(20000) == 2000
    assert TABLE.tax(10001) == 0


def test_rate():
    assert [TABLE.rate(n) for n in (9999, 10000, 30000, 50000)] == [0, 20, 30, 40]


def test_net():
    assert TABLE.net(15000) == 14000
    assert TABLE.net(15000, deductions=2000) == 14400
    assert TABLE.net(5000, deductions=9000) == 5000


def test_gross_for():
    assert TABLE.gross_for(14000) == 14999
    assert TABLE.gross_for(500) == 500


def test_explain():
    assert TABLE.explain(25000) == ["10,000 to  20,000 at 20%".rjust(25), "20,000 to  25,000 at 30%".rjust(25)]
    assert TABLE.explain(10000) == []


def test_bad_tables():
    for brackets in ([], [(0, 1), (0, 2)], [(-5, 1)]):
        with pytest.raises(ValueError):
            TaxTable(brackets)
    with pytest.raises(ValueError):
        TaxTable([(0, 100)]).gross_for(1)
