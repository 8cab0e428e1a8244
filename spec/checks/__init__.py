"""The table of checks, and the programs that it runs.

=====================================  =========================================================
`table.toml`                           the table: names, claims, commands, inputs, costs, occasions
`runner`, ``.ci/run``                  run the checks whose inputs have changed
`statements`, `agreement`              judge an implementation of the rules: `engines` names them,
                                       `rules` is their protocol
`random_games`                         random games and positions, for programs and for tests
`mistakes`                             mutants, and the programs that judge them
`proofs`                               the contracts of the native backend
`hostile`, `reached`                   the native backend: malformed input, lines reached
`corruption`                           damaged documents, for tests of the codec
`added_card`                           the tutorial *Add a card*, applied step by step
`__main__`, `kit`, `goldens`, ...      files that ``python -m spec.checks accept`` generates
``spec/traceability.py``               consistency of clauses, code and tests
`code_blocks`                          blocks of code in the documentation, for a test
``browser``                            the built pages in a browser
=====================================  =========================================================

The tests of these programs are `tests/checks`, which is a check itself (`self-test`).  The tests of
the rules are in `tests`, by package; `tests/formal` compares
them with the model and the lemmas.
"""
