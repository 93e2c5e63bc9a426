"""Everything that faces a terminal: the commands, the progress line, the reports."""
