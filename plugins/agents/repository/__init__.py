"""What a model is shown of a project: not all of it, but what its task is likely to be about, and what was left out."""
