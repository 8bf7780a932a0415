// Checks the patterns of standard input and those of the scripts: none may take more than linear time.

import { readFileSync, readdirSync } from "node:fs";
import { parse } from "espree";
import { KEYS } from "eslint-visitor-keys";
import { check } from "recheck";

const STATIC = "service/dice_referee/web/static/";
/** Maximum milliseconds for a pattern, on a slow machine. */
const TIMEOUT = 60_000;
/** Methods that read a text as a pattern. */
const READERS = ["match", "matchAll", "search"];

function* nodes(node) {
  yield node;
  for (const key of KEYS[node.type]) for (const child of [node[key]].flat()) if (child) yield* nodes(child);
}

function* patternsOf(path) {
  const tree = parse(readFileSync(path, "utf-8"), { ecmaVersion: "latest", sourceType: "module", loc: true });
  for (const node of nodes(tree)) {
    const place = `${path}:${node.loc.start.line}`;
    if (node.regex) yield [place, node.regex.pattern, node.regex.flags];
    const text = node.type === "CallExpression" && READERS.includes(node.callee.property?.name)
      && typeof node.arguments[0]?.value === "string";
    if (text || (node.type === "Identifier" && node.name === "RegExp"))
      throw Error(`${place}: a pattern that is no literal`);
  }
}

const scripts = readdirSync(STATIC, { recursive: true }).filter((name) => /\.m?js$/.test(name)).sort()
  .map((name) => STATIC + name);
const patterns = [...JSON.parse(readFileSync(0, "utf-8")), ...scripts.flatMap((path) => [...patternsOf(path)])];
const known = new Map();
let refused = 0;
for (const [place, source, flags] of patterns) {
  const pattern = `/${source}/${flags}`;
  if (!known.has(pattern)) known.set(pattern, await check(source, flags, { timeout: TIMEOUT, randomSeed: 1 }));
  const { status, complexity, attack, error } = known.get(pattern);
  if (status === "safe") continue;
  refused += 1;
  console.error(`${place}: ${pattern} is ${complexity?.summary ?? error.kind}`, attack ? `by ${attack.pattern}` : "");
}
console.log(`patterns in linear time: ${known.size - refused} of ${known.size}`);
// The checker keeps a process open.
process.exit(refused || !scripts.length ? 1 : 0);
