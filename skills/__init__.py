"""Verified skills: small typed functions with documentation and tests, ready to be copied or imported."""
