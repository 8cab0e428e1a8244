"""Recorded games with fixed seeds, which must not change unintentionally."""
