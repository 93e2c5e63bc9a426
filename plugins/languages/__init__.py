"""Languages besides Python: each a plugin that is off until asked for."""
