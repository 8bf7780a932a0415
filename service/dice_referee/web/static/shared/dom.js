// Descriptions of elements, and the focus of a place that is drawn. Nothing here parses markup from text.

import { draw } from "./patch.js";

/** Returns the element of the page with an id. */
export const at = (id) => document.getElementById(id);

/**
 * Describes an element. Attributes that begin with `on` are listeners. `data-key` is the key of a control among its
 * siblings, and its name on the page.
 */
export const h = (name, { key, ...attributes } = {}, ...children) => ({ name, key: key ?? attributes["data-key"], attributes, children });

/** Describes a picture. Without a label the picture is decoration, else an image with this name. */
export const picture = (box, kind, label, ...children) =>
  h(
    "svg",
    { viewBox: box, class: kind, focusable: "false", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) },
    ...children,
  );

const LET_GO = { mousedown: "mouseup", keydown: "keyup" };

/** Pixels by which a resting pointer may move. */
const TREMBLE = 10;

/** Tells if the pointer has not moved, so that the element under it has moved by itself. */
const rests = (down, up) => down.type === "mousedown" && Math.hypot(down.clientX - up.clientX, down.clientY - up.clientY) < TREMBLE;

/**
 * Clicks a control, or its successor, that is redrawn or moves away while it is pressed: the browser would not click
 * it. Ignores the repeats of a held Enter key, because the focus may have moved.
 */
function press(pressed) {
  const { type, key, button, repeat, target, currentTarget: place } = pressed;
  const held = target.closest("[data-key]");
  if (repeat && key === "Enter" && target.closest("button, a, summary")) pressed.preventDefault();
  if (!held || button || repeat || (type === "keydown" && key !== " ")) return;
  const release = (event) => {
    const [under] = event.composedPath();
    const same = `[data-key="${CSS.escape(held.dataset.key)}"]`;
    // The browser itself clicks a control that is still under the pointer.
    if (held.isConnected && (type === "keydown" || held.contains(under))) return;
    const successor = held.isConnected ? null : under.closest?.(same);
    const clicked = place.contains(successor) ? successor : rests(pressed, event) && (held.isConnected ? held : place.querySelector(same));
    if (clicked && !clicked.closest(".resting")) clicked.click();
  };
  addEventListener(LET_GO[type], release, { once: true, capture: true });
}

/** Keeps presses in this place from being lost when controls move. Repeated calls add no listeners. */
export function keepPresses(place) {
  for (const kind of Object.keys(LET_GO)) place.addEventListener(kind, press);
}

/**
 * Draws into a place, and keeps the focus in it. The successor of a control that is gone is the first control of a new
 * position, and the successor of a rule's chip the place itself. Returns true if nothing is left that can take the focus.
 */
export function redraw(place, ...children) {
  keepPresses(place);
  const root = place.getRootNode();
  const focused = root.activeElement;
  const inside = focused && place.contains(focused);
  draw(place, ...children);
  if (!inside) return false;
  const stays = place.contains(focused) && !focused.disabled;
  const first = () => place.querySelector("[data-first]:not(:disabled)") ?? place.querySelector("button:not(:disabled, .rule)");
  if (!stays) ((focused.dataset.key && first()) || place).focus();
  else if (root.activeElement !== focused) focused.focus();
  return !place.contains(root.activeElement) || root.activeElement.disabled;
}
