"""Tutto (Volle Lotte): dice, cards, turns and whole games; rule numbers T1 to T6."""
