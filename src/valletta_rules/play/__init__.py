"""What plays a game through: the session."""
