"""The engine with one small change after the other, and whether a test notices."""
