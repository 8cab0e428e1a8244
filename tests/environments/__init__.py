"""Tests of the environments; those of OpenSpiel need the extra `openspiel`."""
