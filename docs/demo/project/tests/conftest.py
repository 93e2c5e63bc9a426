import pytest

from tillroll.catalogue import Catalogue

PRICES = """\
number,name,price,vat,tiers
TEA-01,Green tea 100 g,4.20,7,12:5 48:7.5
CUP-07,Enamel cup,9.90,19,
POT-02,"Teapot, cast iron",54.00,19,6:10
SUG-03,Candy sugar 500 g,2.35,7,24:3
"""


@pytest.fixture
def catalogue():
    return Catalogue.from_csv(PRICES.splitlines())
