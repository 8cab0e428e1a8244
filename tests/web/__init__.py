"""Tests of the table in a browser: a gate of its own, `bash tests/web/check.sh`."""
