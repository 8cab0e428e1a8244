"""Tests of the web table, except for those that need a browser (`tests/web/browser`)."""
