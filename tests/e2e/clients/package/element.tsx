// Uses the element in a program and in JSX, with the documents of the contract in its events.

import type { DiceReferee, DiceRefereeAttributes } from "dice-referee/element";

declare global {
  namespace JSX {
    interface IntrinsicElements {
      "dice-referee": DiceRefereeAttributes;
    }
  }
}

export function watch(place: HTMLElement): DiceReferee {
  const element = document.createElement("dice-referee");
  element.addEventListener("verdict", ({ detail }) => (place.title = detail.ruleset));
  element.addEventListener("change", ({ detail }) => (place.title = "status" in detail ? detail.status : detail.position));
  element.addEventListener("refusal", ({ detail }) => (place.title = detail?.code ?? "no answer"));
  element.addEventListener("step", ({ detail }) => (place.title = `${detail.event.type}: ${detail.answer.legal}`));
  element.addEventListener("over", ({ detail }) => (place.title = detail.winners.join()));
  element.addEventListener("click", (event) => (place.title = String(event.button)));
  element.position = { card: "double", roll: [1, 1, 1, 5, 5, 5] };
  element.seat = 0;
  // @ts-expect-error: no such attribute
  element.sessoin = "x";
  return element;
}

export const seen: unknown = <dice-referee game="tutto" position="card=double&roll=111555" compact />;
// @ts-expect-error: no such attribute
export const unseen: unknown = <dice-referee gane="tutto" />;
