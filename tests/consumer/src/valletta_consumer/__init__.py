"""A program that uses the installed package valletta-rules through its public names only."""
