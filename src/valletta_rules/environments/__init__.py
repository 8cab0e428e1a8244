"""Environments of the game for reinforcement learning with PettingZoo, Gymnasium and OpenSpiel.

Each module needs third-party libraries; `valletta_rules` itself never imports these modules.
"""
