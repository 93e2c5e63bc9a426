"""Memory: lessons from ended sessions, recalled when the next one begins."""
