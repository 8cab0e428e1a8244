"""Tests of the table in a browser, except those that run in a browser (`tests/web/browser`)."""
