"""What `treadle check` came to, as other programs read it."""
