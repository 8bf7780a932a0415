// Exports the types of the package by the names in chosen.ts.

export type { components } from "dice-referee/contract";
