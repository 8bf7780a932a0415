// Descriptions of elements, for `patch.js` to draw. Nothing here parses markup from text.

/** Returns the element of the page with an id. */
export const at = (id) => document.getElementById(id);

/**
 * Describes an element. Attributes that begin with `on` are listeners. `data-key` is the key of a control among its
 * siblings, and its name on the page.
 */
export const h = (name, { key, ...attributes } = {}, ...children) =>
  ({ name, key: key ?? attributes["data-key"], attributes, children });

/** Describes a picture. Without a label the picture is decoration, else an image with this name. */
export const picture = (box, kind, label, ...children) =>
  h(
    "svg",
    {
      viewBox: box, class: kind, focusable: "false",
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    ...children,
  );
