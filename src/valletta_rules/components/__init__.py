"""What is in the box: goods, characters, buildings, the street, the display, card sets."""
