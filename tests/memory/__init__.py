"""Tests of memories, of what they tell, and of what they make up."""
