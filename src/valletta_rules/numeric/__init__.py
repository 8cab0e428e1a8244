"""The game in numbers, for machine learning: an action space, and feature vectors for views."""
