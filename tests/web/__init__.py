"""Tests of the table in a browser, except those in the browser itself (`tests/web/browser`)."""
