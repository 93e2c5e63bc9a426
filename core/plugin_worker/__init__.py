"""Third-party plugins in processes of their own: the language, the process, and what runs inside of it."""
