"""Environments: the game for programs that learn, for PettingZoo, Gymnasium and OpenSpiel.

Each module is an environment and needs third-party libraries; `valletta_rules` never loads them.
"""
