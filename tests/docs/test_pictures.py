"""Drawings as small files, which look as the drawings do."""

from __future__ import annotations

from tests.docs import extension


def test_a_small_file_leaves_out_what_goes_without_saying() -> None:
    """Origins, shifts by nothing, long names of colours and what images never say."""
    svg = (
        '<svg lang="en"><title>Said</title><g transform="translate(0 0) scale(0.5)">'
        '<circle cx="0" cy="10" r="0" fill="#ffffff" stroke="#fffff0"/>'
        '<text x="0" y="4">x="0"</text></g></svg>'
    )
    assert extension("lean").lean(svg) == (
        '<svg><g transform="scale(0.5)">'
        '<circle cy="10" r="0" fill="#fff" stroke="#fffff0"/><text y="4">x="0"</text>'
        "</g></svg>"
    )
