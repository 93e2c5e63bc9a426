"""The loop and what it stands on: records, hooks, events, the store, plugins, workspaces, settings."""
