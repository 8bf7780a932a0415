// Reads server-sent events by fetch: unlike EventSource it sends headers, and exists in every runtime.

import { Unanswered } from "./failures.js";

const QUIET_SECONDS = 45;

/** Yields the events of a stream that have data. Throws Unanswered if the connection breaks or falls silent. */
export async function* frames(stream: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: string }> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let event = "message";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read());
      if (done) return;
      // A final carriage return can be the first half of CRLF.
      const lines = (text + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!\n|$)/);
      text = lines.pop() ?? "";
      for (const line of lines) {
        const [, field, content = ""] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? [];
        if (field === "data") data.push(content);
        else if (field === "event") event = content || "message";
        else if (line === "") {
          if (data.length > 0) yield { event, data: data.join("\n") };
          event = "message";
          data = [];
        }
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Returns the next chunk. Throws Unanswered after 45 s of silence, since the service sends a chunk at least every 15 s. */
function withTimeout<Chunk>(reading: Promise<Chunk>): Promise<Chunk> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new Unanswered("the stream of the session broke", cause));
    const timer = setTimeout(fail, QUIET_SECONDS * 1000, new Error(`silence for ${QUIET_SECONDS} s`));
    void reading.then(resolve, fail).finally(() => clearTimeout(timer));
  });
}
