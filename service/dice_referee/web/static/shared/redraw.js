// Draws a place whose controls the reader uses: focus and presses survive the drawing.

import { draw } from "./patch.js";

/** Pixels by which a resting pointer may move. */
const TREMBLE = 10;

/** Clicks a control that moves away under a resting pointer while it is pressed: the browser would not click it. */
function press({ button, clientX, clientY, target }) {
  const held = target.closest("[data-key]");
  if (!held || button) return;
  const release = (up) => {
    const rests = Math.hypot(clientX - up.clientX, clientY - up.clientY) < TREMBLE;
    if (rests && held.isConnected && !held.contains(up.composedPath()[0]) && !held.closest(".resting")) held.click();
  };
  addEventListener("mouseup", release, { once: true, capture: true });
}

/** Ignores the repeats of a held Enter key, because the focus may have moved to another control. */
function ignoreRepeat(event) {
  const { key, repeat, target } = event;
  if (repeat && key === "Enter" && target.closest("button, a, summary")) event.preventDefault();
}

/** Keeps presses in this place from being lost when controls move. Repeated calls add no listeners. */
export function keepPresses(place) {
  place.addEventListener("mousedown", press);
  place.addEventListener("keydown", ignoreRepeat);
}

/**
 * Draws into a place, and keeps the focus in it. The successor of a control that is gone is the first control of a new
 * position, and the successor of a rule's chip the place itself. Returns true if nothing is left that can take the
 * focus.
 */
export function redraw(place, ...children) {
  keepPresses(place);
  const root = place.getRootNode();
  const focused = root.activeElement;
  const inside = focused && place.contains(focused);
  draw(place, ...children);
  if (!inside) return false;
  const stays = place.contains(focused) && !focused.disabled;
  const first = () =>
    place.querySelector("[data-first]:not(:disabled)") ?? place.querySelector("button:not(:disabled, .rule)");
  if (!stays) ((focused.dataset.key && first()) || place).focus();
  else if (root.activeElement !== focused) focused.focus();
  return !place.contains(root.activeElement) || root.activeElement.disabled;
}
