"""Where a Python project keeps its tests, and the jobs that run them: for whoever plans, writes or judges by tests."""
