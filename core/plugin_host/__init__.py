"""Where plugins are found, checked, switched on and off, called, and kept from doing harm."""
