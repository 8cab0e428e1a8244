"""Card sets as files: the built-in reconstruction, a template, and how one's own is read."""
