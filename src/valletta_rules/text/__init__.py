"""Short, language-neutral texts for values: goods, cards, sites, rule sets and actions."""
