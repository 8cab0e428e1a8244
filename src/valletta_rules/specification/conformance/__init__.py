"""The conformance suite: an engine in any language is asked what test vectors tell, and judged.

The kit is `spec/conformance/`, whose README describes its format and the protocol.
"""
