"""Packages that a change needs: which it declares, and the folders in which jobs of the sandbox find them."""
