"""Settings: their keys, the layers that they come from, and what a project may say about them."""
