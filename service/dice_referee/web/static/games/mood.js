// Animates a Tutto, a POT and a win by flying bits of paper, unless the reader's system asks for reduced motion.

import { h } from "../shared/dom.js";
import { made } from "../shared/patch.js";

const BITS = { best: 18, won: 42 };
const COLOURS = 5;
const FAR = 170;

/** Tells if the reader's browser allows motion. */
export const allowsMotion = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Animates a new drawing once, and plays its sound. */
export function showMood(table) {
  const felt = table.place.board.querySelector(".felt");
  const mood = moodOf(felt);
  table.calm();
  celebrate(felt, mood);
  table.sound?.play(mood);
}

/** Returns the mood of a drawing: "won", "best", "bad", "dice" or null. */
function moodOf(felt) {
  if (felt.querySelector(".ending.good")) return "won";
  const [verdict] = ["best", "bad"].filter((kind) => felt.querySelector(`.verdict.${kind}`));
  return verdict ?? (felt.querySelector(".fresh") ? "dice" : null);
}

/** Animates bits of paper from the middle of the felt. */
function celebrate(felt, mood) {
  if (!BITS[mood] || !allowsMotion()) return;
  const bits = Array.from({ length: BITS[mood] }, (_, at) =>
    made(h("i", { class: `bit bit-${at % COLOURS}`, "aria-hidden": "true" })));
  felt.append(...bits);
  bits.forEach((bit, at) => {
    const turn = (at / bits.length) * 2 * Math.PI;
    const distance = FAR * (0.5 + ((at * 7) % 10) / 10);
    const [x, y] = [Math.cos(turn) * distance, Math.sin(turn) * distance * 0.6];
    const flight = bit.animate(
      [
        { transform: "translate(0, 0) rotate(0)", opacity: 1 },
        { transform: `translate(${x}px, ${y - 40}px) rotate(${at * 50}deg)`, opacity: 1, offset: 0.6 },
        { transform: `translate(${x * 1.1}px, ${y + 130}px) rotate(${at * 110}deg)`, opacity: 0 },
      ],
      { duration: 1300 + (at % 5) * 140, easing: "cubic-bezier(.1, .7, .4, 1)" },
    );
    flight.onfinish = () => bit.remove();
  });
}
