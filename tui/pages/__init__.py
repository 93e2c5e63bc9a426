"""The screens besides the session: lists that can be searched, and acted on line by line."""
