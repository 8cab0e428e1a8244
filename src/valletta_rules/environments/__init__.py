"""Environments of the game for reinforcement learning with PettingZoo, Gymnasium and OpenSpiel.

Each module imports third-party libraries.  `valletta_rules` itself imports none of these modules.
"""
