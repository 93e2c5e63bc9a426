"""The full-screen app: it reads a session's story and sends what the person wants; it holds no truth of its own."""
