"""What a screen may have done, and how it hears of what comes of it."""
