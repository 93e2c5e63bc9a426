"""Workspaces: where jobs see the project, so that nothing they do reaches the person's files."""
