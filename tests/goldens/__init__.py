"""Recorded games with fixed seeds, which detect unintended changes of the engine."""
