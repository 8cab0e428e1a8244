"""The programs that check the repository, and the table of checks that lists them.

=====================================  =========================================================
`table.toml`                           the checks: name, claim, command, inputs, cost, occasion
`runner`, ``.ci/run``                  run the checks whose inputs have changed
`statements`, `agreement`              judge implementations of the rules; `engines` lists these,
                                       and `rules` is their protocol
`random_games`                         random games and positions, for programs and for tests
`mutants`                              mutation testing: tables of mutants, and its programs
`proofs`                               proofs of the contracts of the native backend
`hostile`, `reached`                   malformed input to the native backend, and its coverage
`corruption`                           damaged documents, for tests of the codec
`added_card`                           the tutorial *Add a card*, applied step by step
`__main__`, `kit`, `goldens`, ...      files that ``python -m spec.checks accept`` generates
``spec/traceability.py``               consistency of clauses, code and tests
`code_blocks`                          blocks of code in the documentation, for a test
``browser``                            the built pages in a browser
=====================================  =========================================================

The tests of these programs are in `tests/checks`; the check `self-test` runs them.  The tests of
the rules are in `tests`, by package; `tests/formal` compares the rules with the formal model and
the lemmas.
"""
