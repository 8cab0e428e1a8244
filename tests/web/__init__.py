"""Tests of the table in a browser, short of the browser itself (`tests/web/browser`)."""
