// Ruleset and house rules, from the catalogue: every option with its values and what each means.

import { h } from "./dom.js";

/**
 * The form for a ruleset (`GET /v1/games/{game}/rulesets/{ruleset}`) and what differs from it;
 * `change` gets the new differences.
 */
export function houseRules(ruleset, options, { say, book, change }) {
  const given = (option) => options[option.option] ?? option.value;
  const set = (option, value) => {
    const { [option.option]: _, ...others } = options;
    change(JSON.stringify(value) === JSON.stringify(option.value) ? others : { ...others, [option.option]: value });
  };
  return h(
    "div",
    { class: "options" },
    ruleset.options.map((option) => {
      const id = `option-${option.option}`;
      const value = given(option);
      const differs = Object.hasOwn(options, option.option);
      const meaning = option.values.find((one) => one.value === value)?.text ?? option.text;
      return h(
        "div",
        { class: `option ${differs ? "differs" : ""}` },
        h("div", { class: "option-head", lang: ruleset.spoken }, h("label", { for: option.length ? `${id}-0` : id }, option.title), book.chip(option.rule)),
        option.values.length ? choice(option, id, value, set) : numbers(option, id, value, set, say),
        h("p", { id: `${id}-text`, class: "hint", lang: ruleset.spoken }, meaning),
      );
    }),
    Object.keys(options).length ? h("button", { type: "button", "data-key": "ruleset-only", onclick: () => change({}) }, say("back")) : null,
  );
}

function choice(option, id, value, set) {
  const changed = (event) => set(option, option.values[event.target.selectedIndex].value);
  return h(
    "select",
    { id, "data-key": id, "aria-describedby": `${id}-text`, onchange: changed },
    option.values.map((one) => h("option", { selected: one.value === value }, String(one.value))),
  );
}

function numbers(option, id, value, set, say) {
  const list = option.length ? value : [value];
  const fields = list.map((number, at) => {
    const own = option.length ? `${id}-${at}` : id;
    const changed = (event) => {
      if (!event.target.checkValidity() || event.target.value === "") {
        event.target.value = number;
        return;
      }
      const told = Number(event.target.value);
      set(option, option.length ? list.map((one, other) => (other === at ? told : one)) : told);
    };
    return h("input", {
      id: own, "data-key": own, type: "number", inputmode: "numeric", min: option.minimum, max: option.maximum, step: 1, value: number,
      "aria-describedby": `${id}-text`, "aria-label": option.length ? `${option.title}: ${say("value", { n: at + 1 })}` : null, onchange: changed,
    });
  });
  return h("div", { class: "numbers" }, fields);
}
