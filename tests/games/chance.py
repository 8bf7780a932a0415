"""Chance for tests: random from a seed, or dice from a list."""

from random import Random


class Luck:
    """Dice and cards of a random source (``dice_referee.rulebook.chance.Chance``).

    Equal faces are more frequent than with fair dice, so that rare ends of games occur.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def dice(self, number: int, faces: int = 6) -> tuple[int, ...]:
        if self._rng.random() < 0.3:
            return (self._rng.randint(1, faces),) * number
        return tuple(self._rng.randint(1, faces) for _ in range(number))

    def shuffle(self, number: int) -> tuple[int, ...]:
        return tuple(self._rng.sample(range(number), number))


class Loaded:
    """Dice that fall in the listed order. ``shuffled`` counts the shuffles of cards."""

    def __init__(self, *faces: int) -> None:
        self.left = list(faces)
        self.shuffled = 0

    def dice(self, number: int, faces: int = 6) -> tuple[int, ...]:
        fallen, self.left = self.left[:number], self.left[number:]
        assert len(fallen) == number
        assert all(1 <= face <= faces for face in fallen)
        return tuple(fallen)

    def shuffle(self, number: int) -> tuple[int, ...]:
        self.shuffled += 1
        return tuple(reversed(range(number)))
