"""Playing whole games: immutable games, mutable sessions, and the driver that both use."""
