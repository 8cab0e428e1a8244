"""Programs that generate, write and check the conformance suite, which they call the *kit*."""
