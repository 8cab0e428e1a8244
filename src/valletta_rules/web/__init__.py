"""The table in a browser: games that people play over links, stored move by move.

It uses only the public interface of the package and needs the extra ``web``.
"""
