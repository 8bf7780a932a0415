// Elements from names, attributes and children. Nothing here parses markup from text.

const SVG = "http://www.w3.org/2000/svg";

/** Returns the element of the page with an id. */
export const at = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Creates an HTML element. Attributes whose name begins with `on` are listeners. */
export const h = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

/** Creates an SVG element. */
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

/** Creates a picture. Without a label the picture is decoration, else an image with this name. */
export const picture = (box, kind, label, ...children) =>
  svg(
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
 * Replaces the children of a place. The control with the same key keeps the focus, the caret and a pending press.
 * Returns true if no control is left that can take the focus.
 */
export function redraw(place, ...children) {
  keepPresses(place);
  const focused = place.getRootNode().activeElement;
  const inside = focused && place.contains(focused);
  const key = inside && focused.dataset.key;
  place.replaceChildren(...children.flat(3).filter(Boolean));
  if (!inside) return false;
  const successor = key && place.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  (successor || place.querySelector("[data-first]:not(:disabled)") || place.querySelector("button:not(:disabled, .rule)") || place).focus();
  if (successor && Number.isInteger(focused.selectionStart)) successor.setSelectionRange?.(focused.selectionStart, focused.selectionEnd);
  return !place.contains(place.getRootNode().activeElement);
}
