"""Tests of the environments for machine learning; OpenSpiel needs the extra `openspiel`."""
