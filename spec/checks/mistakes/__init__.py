"""Every clause's deliberate mistakes, and whether its own tests notice them."""
