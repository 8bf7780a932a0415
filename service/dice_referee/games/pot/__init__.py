"""POT (Pass the Pot): three dice, 55 coins, rounds and whole games; rule numbers P1 to P6."""
