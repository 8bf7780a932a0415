// The aim of odds beyond the turn, from the catalogue.

/** The aims that a ruleset is solved for, among so many players. */
export const solvedAims = ({ aims }, count) => aims.filter(({ players }) => players === null || players === count).map(({ aim }) => aim);

/** The aim beyond this turn that odds of the game can have, by any of its rulesets; null for none. */
export const furtherAim = ({ catalogue, turn }) => catalogue.rulesets.flatMap((ruleset) => solvedAims(ruleset, turn?.scores?.length))[0] ?? null;
