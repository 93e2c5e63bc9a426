from tillroll.invoices import make_invoice
from tillroll.orders import parse_order
from tillroll.report import WIDTH, render


def page(catalogue, text):
    return render(make_invoice(parse_order(catalogue, text)))


def test_every_line_ends_at_the_margin(catalogue):
    for line in page(catalogue, "3 x CUP-07\n1 x POT-02").splitlines():
        assert len(line) == WIDTH


def test_a_page(catalogue):
    assert page(catalogue, "24 x SUG-03\n2 x POT-02").splitlines() == [
        "  24 x Candy sugar 500 g                               54.71",
        "       less 3 % for the quantity",
        "   2 x Teapot, cast iron                              108.00",
        "-" * WIDTH,
        "Net                                                   162.71",
        "VAT 7 %                                                 3.83",
        "VAT 19 %                                               20.52",
        "=" * WIDTH,
        "To pay                                                187.06",
    ]


def test_a_long_name_is_cut(catalogue):
    from tillroll.catalogue import Article
    from tillroll.orders import Order

    order = Order()
    order.add(Article("L", "A very long name " * 5, 100, catalogue["CUP-07"].vat))
    assert "..." in render(make_invoice(order)).splitlines()[0]
