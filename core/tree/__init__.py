"""The files of a project: what git knows, what is listed, read, copied, and what a job sees of them."""
