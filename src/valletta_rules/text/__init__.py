"""Values as short, language-neutral texts: goods, cards, sites, rule sets and actions."""
