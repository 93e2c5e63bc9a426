from decimal import Decimal

from tillroll.invoices import make_invoice
from tillroll.orders import parse_order


def invoice_of(catalogue, text, **options):
    return make_invoice(parse_order(catalogue, text), **options)


def test_without_discount_it_is_price_times_pieces(catalogue):
    invoice = invoice_of(catalogue, "3 x CUP-07")
    assert (invoice.net, invoice.gross) == (2970, 2970 + 564)


def test_a_dozen_gets_the_dozen_discount(catalogue):
    (line,) = invoice_of(catalogue, "12 x TEA-01").lines
    assert line.discount == 5
    assert line.net == 12 * 420 - 252


def test_each_article_has_its_own_tier(catalogue):
    invoice = invoice_of(catalogue, "48 x TEA-01\n6 x POT-02\n5 x CUP-07")
    assert [line.discount for line in invoice.lines] == [Decimal("7.5"), 10, 0]


def test_vat_is_rounded_once_for_each_rate(catalogue):
    invoice = invoice_of(catalogue, "1 x TEA-01\n1 x SUG-03\n1 x CUP-07")
    assert invoice.vat_by_rate() == {Decimal(7): 46, Decimal(19): 188}


def test_freight_is_spread_by_value(catalogue):
    invoice = invoice_of(catalogue, "1 x POT-02\n1 x CUP-07", freight=1000)
    assert [line.net for line in invoice.lines] == [5400 + 845, 990 + 155]


def test_an_empty_order_costs_nothing(catalogue):
    assert invoice_of(catalogue, "", freight=500).gross == 0
