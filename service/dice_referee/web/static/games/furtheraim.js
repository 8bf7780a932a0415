// Chooses the aim of odds beyond the turn.

/** Functions that return the aim beyond the turn, by game. Chances to win are known only for two players. */
const FURTHER = { yatzee: () => "game", tutto: ({ turn }) => (turn?.scores?.length === 2 ? "win" : null) };

/** Returns the aim beyond the turn for a table's odds; null if no such odds are known. */
export const furtherAim = (table) => FURTHER[table.game]?.(table) ?? null;
