"""The conformance suite: a runner sends test vectors to an engine in any language and judges it.

The kit is `spec/conformance/`, whose README describes its format and the protocol.
"""
