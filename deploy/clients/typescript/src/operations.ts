// Types of the operations of the contract, by method and path.

import type { paths } from "./contract.js";
import type { Call } from "./requests.js";

export type Method = "GET" | "POST" | "DELETE";
type Operation<M extends Method, P extends keyof paths> = NonNullable<paths[P][Lowercase<M> & keyof paths[P]]>;
type Json<Message> = Message extends { content: { "application/json": infer Document } } ? Document : never;

/** Document of a successful answer; `never` for a stream. */
export type Answer<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { responses: infer R } ? { [Status in keyof R & (200 | 201)]: Json<R[Status]> }[keyof R & (200 | 201)] : never;
/** Paths whose answers to a method are documents. */
export type Path<M extends Method> = { [P in keyof paths]: [Answer<M, P>] extends [never] ? never : P }[keyof paths];

type Header<Parameters> = Parameters extends { header?: infer Names } ? Omit<NonNullable<Names>, "If-None-Match"> : never;
type Body<O> = O extends { requestBody: infer Sent } ? { body: Json<Sent> } : unknown;
type Parts<O> = O extends { parameters: infer Parameters }
  ? Pick<Parameters, ("path" | "query") & keyof Parameters> & { headers?: Header<Parameters> } & Body<O>
  : never;

/** Options of a request. */
export interface Choices extends Call {
  path?: object;
  query?: object;
  body?: unknown;
  headers?: Record<string, string>;
  /** Token of a seat or of the host. */
  token?: string;
}
type Chosen<Own> = Own & Omit<Choices, "path" | "query" | "body" | "headers">;
/** Last argument of `request`: the parameters and body of the contract, optional if all of them are optional. */
export type Options<M extends Method, P extends keyof paths> =
  object extends Parts<Operation<M, P>> ? [options?: Chosen<Parts<Operation<M, P>>>] : [options: Chosen<Parts<Operation<M, P>>>];
