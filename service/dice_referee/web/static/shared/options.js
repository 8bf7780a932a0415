// The form for a ruleset and its house rules, from the catalogue: every option with its values and their meaning.

import { h } from "./dom.js";
import { written } from "./words.js";

/** Values that are typed but not allowed, by ruleset and field. */
const wrong = new Map();
const WHOLE = /^[+-]?\d+$/;

/** Returns the fields of an option: a single field, or a field for each number of its list. */
const fieldsOf = ({ game, ruleset }, option, value) =>
  (option.length ? value : [value]).map((number, at) => {
    const id = option.length ? `option-${option.option}-${at}` : `option-${option.option}`;
    const key = `${game} ${ruleset} ${id}`;
    const entry = wrong.get(key);
    return { id, key, number, typed: entry?.over === number ? entry.typed : null };
  });

/** Returns the id of the first field with a value that is not allowed, or undefined. */
export const mistaken = (ruleset, options) =>
  ruleset.options.filter(({ values }) => !values.length)
    .flatMap((option) => fieldsOf(ruleset, option, options[option.option] ?? option.value))
    .find(({ typed }) => typed !== null)?.id;

/**
 * Returns the form for a ruleset (`GET /v1/{game}/rulesets/{ruleset}`) and its house rules. `change` receives
 * the new house rules. A value that is not allowed stays in its field, and `again` redraws the form.
 */
export function houseRules(ruleset, options, { say, book, change, again }) {
  const valueOf = (option) => options[option.option] ?? option.value;
  const set = (option, value) => {
    const { [option.option]: _, ...rest } = options;
    change(JSON.stringify(value) === JSON.stringify(option.value) ? rest : { ...rest, [option.option]: value });
  };
  const back = () => {
    wrong.clear();
    change({});
  };
  const changed = Object.keys(options).length > 0 || Boolean(mistaken(ruleset, options));
  return h(
    "div",
    { class: "options" },
    ruleset.options.map((option) => {
      const id = `option-${option.option}`;
      const value = valueOf(option);
      const differs = Object.hasOwn(options, option.option);
      const meaning = option.values.find((each) => each.value === value)?.text ?? option.text;
      return h(
        "div",
        { class: `option ${differs ? "differs" : ""}` },
        h("div", { class: "option-head", lang: ruleset.spoken },
          h("label", { for: option.length ? `${id}-0` : id }, option.title),
          book.chip(option.rule)),
        option.values.length
          ? choice(option, { id, spoken: ruleset.spoken, value, set })
          : numbers(option, fieldsOf(ruleset, option, value), { say, again, set: (entry) => set(option, entry) }),
        h("p", { id: `${id}-text`, class: "hint", lang: ruleset.spoken }, meaning),
      );
    }),
    // The button is always visible: its arrival would move the control that is being pressed.
    h("button", {
      type: "button", class: "quiet", "data-key": "ruleset-only", "aria-disabled": changed ? null : "true",
      onclick: () => changed && back(),
    }, say("back")),
  );
}

function choice(option, { id, spoken, value, set }) {
  const changed = ({ target }) => set(option, option.values[target.value].value);
  return h(
    "select",
    {
      id, lang: spoken, "data-key": id, "aria-describedby": `${id}-text`,
      value: String(option.values.findIndex((each) => each.value === value)), onchange: changed,
    },
    option.values.map((each, at) => h("option", { value: at }, each.title)),
  );
}

function numbers(option, fields, { say, again, set }) {
  const about = `option-${option.option}`;
  const faulty = fields.some(({ typed }) => typed !== null);
  const taken = fields.map(({ number }) => number);
  const input = ({ id, key, number, typed }, at) => {
    const changed = ({ target: { value } }) => {
      const entry = Number(value);
      wrong.delete(key);
      if (!WHOLE.test(value.trim()) || entry < option.minimum || entry > option.maximum) {
        wrong.set(key, { typed: value, over: number });
        again();
      } else if (entry === number) again();
      else set(option.length ? taken.with(at, entry) : entry);
    };
    // The type `number` would hide malformed input from the page.
    return h("input", {
      id, "data-key": id, inputmode: option.minimum < 0 ? null : "numeric", autocomplete: "off", value: typed ?? number,
      "aria-invalid": typed === null ? null : "true",
      "aria-describedby": `${about}-bounds ${about}-text`,
      "aria-label": option.length ? [option.title, say("value", { n: at + 1 })].join(say("colon")) : null,
      onchange: changed,
    });
  };
  return [
    h("div", { class: "numbers" }, fields.map(input)),
    h("p", { id: `${about}-bounds`, class: faulty ? "wrong" : "bounds", role: faulty ? "alert" : null },
      say("bounds", { from: number(option.minimum), to: number(option.maximum) })),
  ];
}

const number = (value) => written(document.documentElement.lang, value);
