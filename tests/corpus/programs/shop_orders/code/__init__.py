"""Orders of a shop: baskets, prices with offers, and the way of an order."""

from subject.basket import Basket
from subject.order import Order, WrongState
from subject.pricing import Offer, Price, total

__all__ = ["Basket", "Offer", "Order", "Price", "WrongState", "total"]
