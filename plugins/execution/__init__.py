"""Executors: what runs the session's jobs."""
