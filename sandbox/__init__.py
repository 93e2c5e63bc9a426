"""Bounded processes: run a command so that it can do its job and nothing else."""
