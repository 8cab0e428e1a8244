"""Players of the machine."""
