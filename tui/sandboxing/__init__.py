"""What a terminal is told of the sandbox: limits as flags, whose home is shown, and why a command did not start."""
