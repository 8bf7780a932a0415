// The names that chosen.ts uses, as the package has them.

export type { components } from "dice-referee/contract";
