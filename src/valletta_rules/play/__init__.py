"""Playing a whole game: games as values, sessions, and the driver that both use."""
