"""Tests of memories, of beliefs about hidden cards, and of sampled histories of a game."""
