// The rule behind a number: a chip that shows its text, its source and its standing.

import { h } from "./dom.js";
import { draw, made } from "./patch.js";

let serial = 0;
/** Milliseconds for which a pointer rests on a chip before its note opens. */
const LINGER = 250;
const SPACE = 8;

/** Makes chips for the rules of a game, and shows the note of a rule beside its chip. */
export class RuleBook {
  /** Takes a list of the catalogue, and the `place` of the note: a page or a shadow root. */
  constructor({ rules, spoken }, say, place) {
    this.rules = new Map(rules.map((rule) => [rule.number, rule]));
    this.say = say;
    this.id = `rule-note-${(serial += 1)}`;
    this.note = made(h("div", {
      class: "rule-note", role: "tooltip", id: this.id, hidden: true, lang: spoken,
      onpointerenter: () => clearTimeout(this.leaving), onpointerleave: () => this.hide(),
    }));
    place.append(this.note);
    // A chip that is replaced under a resting pointer fires no pointerleave.
    this.drawn = new MutationObserver(() => this.shown?.isConnected === false && this.hide());
    this.drawn.observe(place, { childList: true, subtree: true });
    this.listening = new AbortController();
    const { signal } = this.listening;
    addEventListener("keydown", (event) => event.key === "Escape" && this.hide(), { signal });
    addEventListener("scroll", () => this.shown && this.place(this.shown), { signal, capture: true, passive: true });
  }

  close() {
    this.listening.abort();
    clearTimeout(this.coming);
    this.drawn.disconnect();
    this.note.remove();
  }

  /**
   * Returns a button with the rule's number. Hover, focus or a tap shows the rule. Ignores a resting pointer under
   * which the chip is drawn.
   */
  chip(number) {
    const rule = this.rules.get(number);
    const standing = rule ? this.say(rule.status) : "";
    const show = ({ currentTarget: chip }) => this.show(rule, chip);
    const moved = ({ currentTarget: chip, movementX, movementY }) => {
      clearTimeout(this.leaving);
      if (this.shown === chip || this.pointed === chip || (!movementX && !movementY)) return;
      this.pointed = chip;
      clearTimeout(this.coming);
      this.coming = setTimeout(() => chip.isConnected && this.show(rule, chip), LINGER);
    };
    const leave = ({ currentTarget: chip }) => {
      clearTimeout(this.coming);
      this.pointed = null;
      this.leaving = setTimeout(() => chip.getRootNode().activeElement !== chip && this.hide(), 120);
    };
    const listeners = rule
      ? { onpointermove: moved, onfocus: show, onclick: show, onpointerleave: leave, onblur: () => this.hide() }
      : {};
    return h(
      "button",
      {
        type: "button", class: `rule ${rule?.status ?? ""}`, "data-rule": number, key: `rule-${number}`,
        "aria-label": `${this.say("rule", { number })}${standing ? `, ${standing}` : ""}`, ...listeners,
      },
      number,
    );
  }

  chips(numbers) {
    return h("span", { class: "rules" }, numbers.map((number) => this.chip(number)));
  }

  show(rule, chip) {
    clearTimeout(this.leaving);
    clearTimeout(this.coming);
    this.shown?.removeAttribute("aria-describedby");
    this.shown = chip;
    chip.setAttribute("aria-describedby", this.id);
    draw(this.note,
      h("p", { class: "rule-head" },
        h("strong", {}, this.say("rule", { number: rule.number })),
        h("span", { class: `standing ${rule.status}` }, this.say(rule.status))),
      h("p", { class: "rule-text" }, rule.text),
      h("p", { class: "rule-why" }, rule.reasoning),
      rule.reading
        ? h("p", { class: "rule-why" }, h("strong", {}, this.say("reading")), `${this.say("colon")}${rule.reading}`)
        : "",
      rule.sources.length
        ? h("p", { class: "rule-source" },
          this.say("source"), this.say("colon"), rule.sources.map(({ title }) => title).join(this.say("semicolon")))
        : "",
    );
    this.note.hidden = false;
    this.place(chip);
  }

  place(chip) {
    const at = chip.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.note;
    const wide = document.documentElement.clientWidth;
    const left = Math.max(SPACE, Math.min(at.left + at.width / 2 - width / 2, wide - width - SPACE));
    const tops = [at.bottom + SPACE, at.top - height - SPACE];
    const fits = (top) => top >= SPACE && top + height <= innerHeight - SPACE;
    const actions = [...chip.getRootNode().querySelectorAll(".dock > *")]
      .map((action) => action.getBoundingClientRect());
    const beside = (top, taken) =>
      !taken.some((area) =>
        area.top < top + height && area.bottom > top && area.left < left + width && area.right > left);
    const free = (top) => beside(top, actions);
    // Prefers a place beside the chip, then beyond the actions, then over them.
    const further = actions.flatMap((area) => [area.top - height - SPACE, area.bottom + SPACE]);
    const top = [...tops, ...further].find((each) => fits(each) && beside(each, [...actions, at])) ?? tops.find(free)
      ?? tops.find(fits) ?? tops[0];
    this.note.style.setProperty("left", `${left}px`);
    this.note.style.setProperty("top", `${top}px`);
  }

  hide() {
    this.note.hidden = true;
    this.shown?.removeAttribute("aria-describedby");
    this.shown = null;
  }
}
