// Reads the Server-Sent Events of an answer, because `EventSource` sends no token.

/** Yields the fields of each event, such as `{ id, event, data }`. Calls `heard` after each chunk. */
export async function* events(body, heard) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const frames = (text + decoder.decode(value, { stream: true })).split("\n\n");
    text = frames.pop();
    yield* frames.map((frame) => Object.fromEntries(frame.split("\n").map(field)));
  }
}

/** Returns the name and the value of a line. Comments have no name. */
function field(line) {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}
