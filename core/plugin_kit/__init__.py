"""What authors of plugins work with: a new plugin, the check of one, and what their tests stand on."""
