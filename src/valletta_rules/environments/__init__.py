"""Environments: the game for learning programs, for PettingZoo, Gymnasium and OpenSpiel.

Each module is an environment and needs third-party libraries; `valletta_rules` never loads them.
"""
