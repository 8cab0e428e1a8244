"""Tests of memories, beliefs and sampled histories."""
