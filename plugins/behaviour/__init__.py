"""What functions do: called with arguments like those that tests give them, in one version of a project and another."""
