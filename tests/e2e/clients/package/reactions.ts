// Tests the client with a stub of the service: a silent stream, duplicate entries, nudges, lines of data split over chunks, a
// busy service.

import { Referee, Refused } from "dice-referee";

const SPEED = 1000;

const later = setTimeout;
globalThis.setTimeout = (act, time = 0) => later(act, time / SPEED);
Math.random = () => 0.5;

const entry = (version: number) => `data: {"version":${version}}\n\n`;

/** Returns a stream that remains open after these frames. */
const open = (...chunks: string[]) => {
  const body = new ReadableStream({ start: (stream) => chunks.forEach((chunk) => stream.enqueue(new TextEncoder().encode(chunk))) });
  return new Response(body, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });
};
const busy = () => Response.json({ code: "busy" }, { status: 503, headers: { "Content-Type": "application/problem+json", "Retry-After": "7" } });

const lines = ['data: {"version":4,\r', '\ndata:"player":1', ',\ndata: "name": "a\u2028b"}\r', "\n\r", "\n", 'data: {"version":5}\r\r:\r'];

const nudge = 'event: nudge\ndata: {"player":1}\n\n';
const requests: Headers[] = [];
const answers = [busy(), open(entry(1), nudge, entry(1), entry(2)), open(entry(2), entry(3), ...lines, "event: gone\ndata: {}\n\n")];
globalThis.fetch = async (_, request) => {
  requests.push(new Headers(request?.headers));
  return answers.shift() ?? Response.error();
};

const waits: string[] = [];
const onWait = (seconds: number, reason: unknown) => waits.push(`${seconds} s ${reason instanceof Refused ? reason.problem.code : "silence"}`);
const nudged: number[] = [];
const onNudge = (player: number) => nudged.push(player);
const heard: string[] = [];
for await (const { version, player } of new Referee("http://service.test", { onWait }).follow("one", 0, { onNudge })) heard.push(`${version}${player ? `.${player}` : ""}`);
console.log(heard.join(), nudged.join(), requests.map((headers) => headers.get("Last-Event-ID")).join(), waits.join());
