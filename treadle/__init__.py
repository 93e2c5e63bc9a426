"""Treadle: a coding agent for the terminal that can be taken apart."""

from __future__ import annotations

__version__ = "0.1.0"
