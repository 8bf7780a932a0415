// Reactions of the client to a stub of the service: a stream that falls silent without an end, entries twice, a busy service.

import { Referee, Refused } from "dice-referee";

const SPEED = 1000;

const later = setTimeout;
globalThis.setTimeout = (act, time = 0) => later(act, time / SPEED);

const entry = (version: number) => `data: {"version":${version}}\n\n`;

/** A stream that stays open after these frames. */
const open = (...frames: string[]) =>
  new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(frames.join(""))) }));
const busy = () => Response.json({ code: "busy" }, { status: 503, headers: { "Content-Type": "application/problem+json", "Retry-After": "7" } });

const requests: Headers[] = [];
const answers = [busy(), open(entry(1), entry(1), entry(2)), open(entry(2), entry(3), "event: gone\ndata: {}\n\n")];
globalThis.fetch = async (_, request) => {
  requests.push(new Headers(request?.headers));
  return answers.shift() ?? Response.error();
};

const waits: string[] = [];
const onWait = (seconds: number, reason: unknown) => waits.push(`${seconds} s ${reason instanceof Refused ? reason.problem.code : "silence"}`);
const heard: number[] = [];
for await (const { version } of new Referee("http://service.test", { onWait }).follow("one")) heard.push(version);
console.log(heard.join(), requests.map((headers) => headers.get("Last-Event-ID")).join(), waits.join());
