"""Card sets in files: the built-in reconstruction, a template, and a parser for other card sets."""

from valletta_rules.card_sets import built_in as built_in  # so that pickles can name them
