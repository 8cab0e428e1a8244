"""Playing a whole game: sessions, and the driver they share with other tables."""
