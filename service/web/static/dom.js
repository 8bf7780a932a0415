// Elements from names, attributes and children. Text stays text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element; attributes whose name begins with `on` are listeners. */
export const h = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

/** An SVG element. */
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

/** A picture: decoration without a label, else an image that is called so. */
export const picture = (box, kind, label, ...children) =>
  svg(
    "svg",
    { viewBox: box, class: kind, focusable: "false", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) },
    ...children,
  );

/** Puts new children in the place of the old, and the focus back on the control of the same key. */
export function redraw(place, ...children) {
  const root = place.getRootNode();
  const focused = root.activeElement;
  const inside = focused && place.contains(focused);
  const key = inside && focused.dataset.key;
  place.replaceChildren(...children.flat(3).filter(Boolean));
  if (!inside) return;
  const again = key && place.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  (again || place.querySelector("[data-first]:not(:disabled)") || place.querySelector("button:not(:disabled)"))?.focus();
}
