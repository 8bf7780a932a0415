// Exports the client of Dice Referee.

export type * from "./documents.js";
export { LogReset, Refused, Unanswered } from "./failures.js";
export type { Answer, Method, Options, Path } from "./operations.js";
export { Referee, type Change, type Following } from "./referee.js";
export type { Call, Settings } from "./requests.js";
