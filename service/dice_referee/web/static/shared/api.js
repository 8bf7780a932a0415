// A client of the public API. Every question can be shown as a curl command.

import { unanswered } from "./session.js";
import { straight } from "./words.js";

const JSON_TYPE = "application/json";

export class Api extends EventTarget {
  /** Takes the service's origin as `base`, and the `language` of every request. */
  constructor(base, language) {
    super();
    this.base = base.replace(/\/$/, "");
    this.language = language;
  }

  /** Reads a document of the catalogue (`/v1...`), and adds its language as `spoken`. */
  async read(path) {
    const answer = await fetch(this.base + path, { headers: { "Accept-Language": this.language } });
    const document = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(document.detail), { problem: document });
    return { ...document, spoken: answer.headers.get("Content-Language") ?? "en" };
  }

  /** Returns the service's answer: `{ ok, document }`. Listeners of `asked` see question and answer. */
  async ask(path, question) {
    const headers = { "Content-Type": JSON_TYPE, "Accept-Language": this.language };
    const body = JSON.stringify(question);
    const answer = await fetch(this.base + path, { method: "POST", headers, body });
    const document = await answer.json();
    const detail = { path, question, status: answer.status, document, curl: this.curl(path, body) };
    this.dispatchEvent(new CustomEvent("asked", { detail }));
    return { ok: answer.ok, document };
  }

  /** Returns the answer as sentences, or an empty list after a refusal or without an answer. */
  async hear(path, question) {
    const headers = { "Content-Type": JSON_TYPE, Accept: "text/plain", "Accept-Language": this.language };
    const asked = fetch(this.base + path, { method: "POST", headers, body: JSON.stringify(question) });
    const text = await asked.then((answer) => answer.ok && answer.text()).catch(unanswered);
    return straight(text || "").split("\n").filter(Boolean);
  }

  /** Returns the question as a curl command. */
  curl(path, body) {
    const quoted = `'${body.replaceAll("'", String.raw`'\''`)}'`;
    const header = this.language === "en" ? "" : ` -H 'Accept-Language: ${this.language}' \\\n`;
    return `curl -s '${this.base}${path}' \\\n -H 'Content-Type: ${JSON_TYPE}' \\\n${header} -d ${quoted}`;
  }
}
