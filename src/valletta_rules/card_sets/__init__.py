"""Card sets as files: the built-in reconstruction, a template, and how one's own is read."""

from valletta_rules.card_sets import built_in as built_in  # so that pickles can name them
