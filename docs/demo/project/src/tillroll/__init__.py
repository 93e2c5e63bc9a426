"""Price lists, orders and invoices for a small wholesaler."""

__version__ = "0.3.0"
