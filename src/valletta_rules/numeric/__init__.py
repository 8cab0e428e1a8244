"""The game as numbers for machine learning: an action space, and views as feature vectors."""
