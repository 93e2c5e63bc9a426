"""Agents: language models that work on a task with tools, in a draft of the project of their own."""
