"""Tutto (Volle Lotte): its dice, cards, turns and whole games, by the rules T1 to T6."""
