"""The game in numbers, for programs that learn: answers by number, views as arrays."""
