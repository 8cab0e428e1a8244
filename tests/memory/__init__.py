"""Tests for memories, for beliefs about hidden cards, and for sampled histories."""
