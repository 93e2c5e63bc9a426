"""The pages of docs/reference that are written from the code, one module each."""
