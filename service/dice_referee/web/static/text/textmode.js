// The table as text: a log that tells what happens in the service's own sentences, and one line to type
// into. What is typed is played at the same table that is drawn otherwise.

import { explained } from "../table/connection.js";
import { commandsOf, parse } from "./commands.js";
import { h } from "../shared/dom.js";
import { QUESTIONS, early, hear } from "./answers.js";
import { pause } from "../shared/session.js";
import { sayer } from "../shared/words.js";

const AGAIN = 2000;
/** Lines of the log that are kept. */
const MOST = 400;

export class TextMode {
  // The version that was told last; true while the next one is asked for.
  version = null;
  telling = false;
  // The lines that were typed, how far the arrows have gone back among them, and the last command on its way.
  typed = [];
  back = 0;
  doing = Promise.resolve();

  /** Writes itself into `place`. */
  constructor(table, place) {
    this.table = table;
    this.log = h("div", { class: "told", role: "log", "aria-live": "polite", tabindex: "0" });
    this.input = h("input", { id: "command", autocomplete: "off", autocapitalize: "none", spellcheck: "false", enterkeyhint: "send", onkeydown: (event) => this.recall(event) });
    this.label = h("label", { for: "command" });
    place.replaceChildren(this.log, h("form", { class: "typing", onsubmit: (event) => this.enter(event) }, this.label, this.input));
    this.tell([this.say("welcome")]);
  }

  get say() {
    return sayer(this.table.api.language);
  }

  /** True while the page still shows this table. */
  get open() {
    return this.table.text.mode === this;
  }

  /** Tells what has happened since the last that was told; at first, how the table stands. */
  async follow() {
    const { table } = this;
    this.log.setAttribute("aria-label", table.say("log"));
    this.label.textContent = this.say("command");
    if (this.telling) return;
    this.telling = true;
    if (this.version === null) this.input.focus();
    while (this.open && (this.version === null || this.version < table.kept.version)) await this.news();
    this.telling = false;
  }

  async news() {
    const heard = await (this.version === null ? hear(this.table) : hear(this.table, "/events", { after: this.version }));
    if (!heard.ok) return pause(AGAIN);
    this.version = heard.version;
    this.tell(heard.lines);
    this.log.dataset.version = heard.version;
    return undefined;
  }

  tell(lines, kind = "") {
    this.log.append(...lines.map((line) => h("p", { class: kind, "aria-hidden": kind ? "true" : null }, line)));
    while (this.log.children.length > MOST) this.log.firstElementChild.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }

  // Input -------------------------------------------------------------------------------------------

  enter(event) {
    event.preventDefault();
    const line = this.input.value.trim();
    this.input.value = "";
    if (!line) return;
    this.typed.push(line);
    this.back = 0;
    // Commands run one after the other, as typed. Their typist knows them: they are not read out.
    this.doing = this.doing.then(async () => {
      this.tell([line], "asked");
      this.tell(await this.obey(line));
    });
  }

  /** The arrows bring back what was typed before. */
  recall(event) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.back = Math.max(0, Math.min(this.typed.length, this.back + step));
    this.input.value = this.back ? this.typed.at(-this.back) : "";
  }

  /** Does what a line says; gives the lines that answer it. What happens by it comes as news. */
  async obey(line) {
    const { table, say } = this;
    const { catalogue: { deck, categories }, game, judged, kept, seats } = table;
    const read = parse(line, { ...kept, game, language: table.api.language, deck, categories, choices: judged?.choices ?? [] });
    if (read.event) return early(table, read.event) ?? this.change("/events", read.event, seats.token);
    if (read.needs) return [[say(read.needs), read.pieces.map(({ title }) => title).join(", ")].filter(Boolean).join(" ")];
    if (read.unknown) return [say("unknown_command", { text: read.unknown }), this.commands.map(({ words: [word] }) => word).join(", ")];
    if (read.ask === "undo") return this.change("/undo", null, seats.host ?? seats.token);
    if (read.ask === "help") return this.help();
    if (read.ask === "again") return this.again();
    if (read.ask === "check") return this.check();
    if (read.ask === "rules") return this.rules(read.about);
    if (read.ask === "table") {
      table.text.toggle();
      return [];
    }
    return QUESTIONS[read.ask](table);
  }

  /** The text of a rule; without a number, of those behind what happened last. */
  rules(number) {
    const { book, log } = this.table;
    const numbers = number ? [number.toUpperCase()] : log[0]?.rules ?? [];
    const found = numbers.map((one) => book.rules.get(one)).filter(Boolean);
    return found.length ? found.map((rule) => [rule.number, rule.text].join(this.say("colon"))) : [this.say("no_rule")];
  }

  /** Goes to the next game of the same people, which is opened if it is not yet. */
  async again() {
    const { kept, seats } = this.table;
    if (kept.status === "running") return [this.say("not_over")];
    const refused = kept.rematch && seats.token ? [] : await this.change("/rematch", null, seats.token);
    if (!refused.length) seats.goTo(this.table.kept.rematch);
    return refused;
  }

  /** Has the dice, or the moves, of a game checked; what comes of it is told as soon as it is found. */
  check() {
    if (this.table.kept.status === "running") return [this.say("not_over")];
    this.table.tell("check", null);
    return [];
  }

  /** Sends a change; gives the lines that say why it was refused. */
  async change(part, body, token) {
    const { table } = this;
    if (!token) return [table.say("you_watch")];
    const { ok, document: told } = await table.change(part, body, token);
    if (ok) return [];
    return told?.findings?.length ? [...new Set(told.findings.map(({ rule, detail }) => [rule, detail].join(this.say("colon"))))] : [explained(told, this.say)];
  }

  get commands() {
    return commandsOf(this.table.game, this.table.api.language);
  }

  help() {
    const { game } = this.table;
    const does = (name) => this.say(name === "keep" && game !== "tutto" ? "does_hold" : `does_${name}`);
    return this.commands.map(({ name, words }) => [words.join(", "), does(name)].join(this.say("colon")));
  }
}
