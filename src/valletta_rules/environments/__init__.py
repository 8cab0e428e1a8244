"""Environments: the game for programs that learn, as PettingZoo, Gymnasium and OpenSpiel have it.

Each module is an environment and needs libraries of others; `valletta_rules` never loads them.
"""
