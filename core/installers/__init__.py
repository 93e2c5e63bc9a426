"""The programs that fill a plugin's environment: pip, or uv."""
