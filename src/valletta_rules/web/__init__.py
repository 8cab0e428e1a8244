"""The web interface: games that people join by links and that are stored move by move.

These modules use only the public interface of `valletta_rules` and need the extra ``web``.
"""
