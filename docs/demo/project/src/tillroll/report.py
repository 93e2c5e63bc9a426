"""The invoice as a page of text."""

from __future__ import annotations

from tillroll.invoices import Invoice
from tillroll.money import format_amount

WIDTH = 60


def render(invoice: Invoice) -> str:
    """Lines of 60 characters: articles, discounts, VAT by rate, total."""
    rows = []
    for line in invoice.lines:
        rows.append(_row(f"{line.pieces:>4} x {line.name}", line.net))
        if line.discount:
            rows.append(f"       less {line.discount.normalize():f} % for the quantity")
    rows.append("-" * WIDTH)
    rows.append(_row("Net", invoice.net))
    rows.extend(_row(f"VAT {rate.normalize():f} %", vat) for rate, vat in invoice.vat_by_rate().items())
    rows.append("=" * WIDTH)
    rows.append(_row("To pay", invoice.gross))
    return "\n".join(rows) + "\n"


def _row(label: str, cents: int) -> str:
    amount = format_amount(cents)
    room = WIDTH - len(amount) - 1
    if len(label) > room:
        label = label[: room - 3] + "..."
    return f"{label:<{room}} {amount}"
