// Shows a table as text: a log of events in the service's sentences, and a line for commands. Commands act on the same
// table as the buttons.

import { explained } from "../table/connection.js";
import { commandsOf, parse } from "./commands.js";
import { h } from "../shared/dom.js";
import { made } from "../shared/patch.js";
import { QUESTIONS, early, hear } from "./answers.js";
import { pause } from "../shared/session.js";
import { sayer } from "../shared/words.js";

const AGAIN = 2000;
/** Limits the lines of the log. Older lines are removed. */
const MOST = 400;

export class TextMode {
  // Last logged version, and whether the next is being requested.
  version = null;
  telling = false;
  // Earlier input, the number of lines that the arrow keys have gone back, and the last command in execution.
  typed = [];
  back = 0;
  doing = Promise.resolve();

  /** Draws the text mode of a table into `place`. */
  constructor(table, place) {
    this.table = table;
    this.log = made(h("div", { class: "told", role: "log", "aria-live": "polite", tabindex: "0" }));
    const form = made(h("form", { class: "typing", onsubmit: (event) => this.enter(event) },
      h("label", { for: "command" }),
      h("input", {
        id: "command", autocomplete: "off", autocapitalize: "none", spellcheck: "false", enterkeyhint: "send",
        onkeydown: (event) => this.recall(event),
      })));
    [this.label, this.input] = form.children;
    place.replaceChildren(this.log, form);
    this.tell([this.say("welcome")]);
  }

  get say() {
    return sayer(this.table.api.language);
  }

  /** Tells if the page shows this text mode. */
  get open() {
    return this.table.text.mode === this;
  }

  /** Logs the events since the last logged version, or at first the state of the table. */
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
    const question = this.version === null ? [] : ["/events", { after: this.version }];
    const report = await hear(this.table, ...question);
    if (!report.ok) return pause(AGAIN);
    this.version = report.version;
    this.tell(report.lines);
    this.log.dataset.version = report.version;
    return undefined;
  }

  tell(lines, kind = "") {
    this.log.append(...lines.map((line) => made(h("p", { class: kind, "aria-hidden": kind ? "true" : null }, line))));
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
    // Commands run in order. Screen readers do not read them, because the player has just typed them.
    this.doing = this.doing.then(async () => {
      this.tell([line], "asked");
      this.tell(await this.obey(line));
    });
  }

  /** Restores earlier input at the arrow keys. */
  recall(event) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.back = Math.max(0, Math.min(this.typed.length, this.back + step));
    this.input.value = this.back ? this.typed.at(-this.back) : "";
  }

  /** Executes a line. Returns the answer in lines; `news` logs the events. */
  async obey(line) {
    const { table, say } = this;
    const { catalogue: { deck, categories }, game, judged, kept, seats } = table;
    const read = parse(line,
      { ...kept, game, language: table.api.language, deck, categories, choices: judged?.choices ?? [] });
    const isMove = read.event || read.needs || read.ask === "odds" || /^\d/.test(read.unknown);
    if (isMove && kept.status !== "running") return [say("over_again", { again: this.wordOf("again") })];
    if (read.event) return early(table, read.event) ?? this.change("/events", read.event, seats.token);
    if (read.needs)
      return [[say(read.needs), read.pieces.map(({ title }) => title).join(", ")].filter(Boolean).join(" ")];
    if (read.unknown)
      return [
        say("unknown_command", { text: read.unknown }),
        this.commands.map(({ words: [word] }) => word).join(", "),
      ];
    if (read.ask === "undo") return this.change("/undo", null, seats.rights ?? seats.token);
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

  /** Returns the text of a rule, or without a number of the rules of the last event. */
  rules(number) {
    const { book, log } = this.table;
    const numbers = number ? [number.toUpperCase()] : log[0]?.rules ?? [];
    const rules = numbers.map((id) => book.rules.get(id)).filter(Boolean);
    return rules.length ? rules.map((rule) => [rule.number, rule.text].join(this.say("colon"))) : [this.say("no_rule")];
  }

  /** Goes to the rematch, after opening it if necessary. */
  async again() {
    const { kept, seats } = this.table;
    if (kept.status === "running") return [this.say("not_over")];
    const reasons = kept.rematch && seats.token ? [] : await this.change("/rematch", null, seats.token);
    if (!reasons.length) seats.goTo(this.table.kept.rematch);
    return reasons;
  }

  /** Starts the check of a game's dice or moves, which announces its own result. */
  check() {
    if (this.table.kept.status === "running") return [this.say("not_over")];
    this.table.tell("check", null);
    return [];
  }

  /** Sends a change. Returns the reasons of a refusal in lines. */
  async change(part, body, token) {
    const { table } = this;
    if (!token) return [table.say("you_watch")];
    const { ok, document: problem } = await table.change(part, body, token);
    if (ok) return [];
    return problem?.findings?.length
      ? [...new Set(problem.findings.map(({ rule, detail }) => [rule, detail].join(this.say("colon"))))]
      : [explained(problem, this.say)];
  }

  get commands() {
    return commandsOf(this.table.game, this.table.api.language);
  }

  /** Returns the first word of a command. */
  wordOf(command) {
    return this.commands.find(({ name }) => name === command).words[0];
  }

  help() {
    const { game } = this.table;
    const description = (name) => this.say(name === "keep" && game !== "tutto" ? "does_hold" : `does_${name}`);
    return this.commands.map(({ name, words }) => [words.join(", "), description(name)].join(this.say("colon")));
  }
}
