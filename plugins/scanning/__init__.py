"""Scanners: what is worrying about a change before any of it runs. They find and ask; the sandbox is what holds."""
