// Server-sent events of a response, read by fetch: it works where there is no EventSource, and sends headers.

import { Unanswered } from "./failures.js";

const QUIET_SECONDS = 45;

/** Yields the events of a stream that have data. Throws Unanswered when the line breaks or is dead. */
export async function* frames(stream: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: string }> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let event = "message";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await alive(reader.read());
      if (done) return;
      // A carriage return at the end may be half of a line's end.
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

/** Returns what was read. The service says something every 15 seconds, so that silence is a dead line. */
function alive<Chunk>(reading: Promise<Chunk>): Promise<Chunk> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new Unanswered("the stream of the session broke", cause));
    const timer = setTimeout(fail, QUIET_SECONDS * 1000, new Error(`silence for ${QUIET_SECONDS} s`));
    void reading.then(resolve, fail).finally(() => clearTimeout(timer));
  });
}
