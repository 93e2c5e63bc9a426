"""Language models: what they are asked and answer, which of them is asked, and what it may cost."""
