"""Values as short text that knows no language: goods, cards, sites, rule sets, and actions."""
