"""A program that uses only public names of the installed package valletta-rules."""
