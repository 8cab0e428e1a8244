"""Card sets and card-set files: a built-in reconstruction, a template to fill in, and a parser."""

from valletta_rules.card_sets import built_in as built_in  # pickles refer to it
