"""What screens are drawn from: rows, the header, the input, what is told. They know no project."""
