"""Recorded games with fixed seeds; they must not change unintentionally."""
