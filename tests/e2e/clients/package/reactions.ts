// Tests the client with a stub of the service: a silent stream, duplicate entries, nudges, lines of data split over chunks, a
// busy service, and a crowded service.

import { Referee, Refused } from "dice-referee";

const SPEED = 1000;

const later = setTimeout;
globalThis.setTimeout = (act, time = 0) => later(act, time / SPEED);
Math.random = () => 0.5;

const entry = (version: number) => `data: {"entry":{"version":${version}},"session":null}\n\n`;

/** Returns a stream that remains open after these frames. */
const open = (...chunks: string[]) => {
  const body = new ReadableStream({ start: (stream) => chunks.forEach((chunk) => stream.enqueue(new TextEncoder().encode(chunk))) });
  return new Response(body, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });
};
const busy = () => Response.json({ code: "busy" }, { status: 503, headers: { "Content-Type": "application/problem+json", "Retry-After": "7" } });

const lines = ['data: {"entry":{"version":4,\r', '\ndata:"player":1', ',\ndata: "name": "a\u2028b"},"session":{"version":4}}\r', "\n\r", "\n", 'data: {"entry":{"version":5}}\r\r:\r'];

const nudge = 'event: nudge\ndata: {"player":1}\n\n';
const connection = 'event: connected\ndata: {"connected":[0,1]}\n\n';
let requests: Headers[] = [];
let addresses: string[] = [];
let answers = [busy(), open(connection, entry(1), nudge, entry(1), entry(2)), open(entry(2), entry(3), ...lines, "event: gone\ndata: {}\n\n")];
globalThis.fetch = async (address, request) => {
  addresses.push(String(address).replace(/.*\/one\//, ""));
  requests.push(new Headers(request?.headers));
  return answers.shift() ?? Response.error();
};

const waits: string[] = [];
const onWait = (seconds: number, reason: unknown) => waits.push(`${seconds} s ${reason instanceof Refused ? reason.problem.code : "silence"}`);
const nudged: number[] = [];
const onNudge = (player: number) => nudged.push(player);
const connected: string[] = [];
const onConnected = (seats: number[]) => connected.push(seats.join("+"));
const heard: string[] = [];
for await (const { entry: { version, player }, session } of new Referee("http://service.test", { onWait }).follow("one", 0, { onNudge, onConnected })) heard.push(`${version}${player ? `.${player}` : ""}${session ? `=${session.version}` : ""}`);
console.log(heard.join(), nudged.join(), connected.join(), requests.map((headers) => headers.get("Last-Event-ID")).join(), waits.join());

const page = (...versions: number[]) => Response.json({ events: versions.map((version) => ({ entry: { version }, session: null })), version: versions.at(-1), reset: false });
const refusal = (code: string, status: number) => Response.json({ code, status }, { status, headers: { "Content-Type": "application/problem+json" } });
const crowded = "event: crowded\ndata: {}\n\n";
const closed = new Response(entry(1) + crowded, { headers: { "Content-Type": "text/event-stream" } });
for (answers of [[closed, page(2, 3), page(), page(4), refusal("gone", 410)], [refusal("too-many-streams", 429), page(1), refusal("not-found", 404)], [refusal("unauthorized", 401)]]) {
  [requests, addresses] = [[], []];
  const versions: number[] = [];
  try {
    for await (const { entry: { version } } of new Referee("http://service.test").follow("one", 0, { token: "secret" })) versions.push(version);
  } catch (error) {
    console.log(error instanceof Refused && error.problem.code);
  }
  console.log(versions.join(), addresses.map((address, at) => `${address} ${requests[at]?.get("Authorization")}`).join("\n"));
}
