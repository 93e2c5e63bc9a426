"""Validators: what the change did to the tests, whether its files compile, and what ruff says of them."""
