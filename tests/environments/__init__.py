"""Tests of the environments: a gate of its own, `bash tests/environments/check.sh`."""
