"""A model's reply, and the files and changes that it means."""
