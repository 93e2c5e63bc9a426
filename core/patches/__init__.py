"""The change that a person accepts: made, shown, applied and taken back."""
