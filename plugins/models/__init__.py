"""Services of language models: each a plugin that translates what is said to a model into the service's own words."""
