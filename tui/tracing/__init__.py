"""What `treadle plugin trace` shows: calls of plugins with their values, for people or for programs."""
