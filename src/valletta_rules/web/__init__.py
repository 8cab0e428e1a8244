"""The table in a browser: games that people play over links, kept move by move.

It stands on the public interface of the package alone and needs the extra ``web``.
"""
