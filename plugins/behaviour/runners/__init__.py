"""What runs in the sandbox, under the person's interpreter (Python 3.8 or newer), with nothing of Treadle."""
