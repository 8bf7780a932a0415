// A client of Dice Referee.

export type * from "./documents.js";
export { LogReset, Refused, Unanswered } from "./failures.js";
export { Referee, type Change } from "./referee.js";
export type { Settings } from "./requests.js";
