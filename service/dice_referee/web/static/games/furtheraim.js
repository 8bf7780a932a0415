// The aim of odds beyond the turn.

/** The aim beyond this turn, by game; chances to win are known for two. */
const FURTHER = { yatzee: () => "game", tutto: ({ turn }) => (turn?.scores?.length === 2 ? "win" : null) };

/** The aim beyond this turn that a table's odds can have; null for none. */
export const furtherAim = (table) => FURTHER[table.game]?.(table) ?? null;
