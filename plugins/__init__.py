"""The built-in plugins, one folder a stage. They use nothing that a third-party plugin could not use."""
