"""Values as short, language-neutral text: goods, cards, sites, rule sets, and actions."""
