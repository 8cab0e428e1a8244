"""The conformance suite: a runner sends test vectors to an engine in any language and judges it.

The files are in `spec/conformance/`. The README there describes their format and the protocol.
"""
