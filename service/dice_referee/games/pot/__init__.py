"""POT, Pass the Pot (rules P1 to P6): three dice, 55 coins, rounds and whole games."""
