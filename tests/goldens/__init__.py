"""Games played by a seed and written down, to be compared word by word."""
