// Draws descriptions of elements into places of the page, and changes only what differs from the last drawing.
//
//   draw(at("board"), { name: "button", key: "roll", attributes: { onclick: roll }, children: ["Roll"] });
//
// Children: texts, descriptions and lists of both. null, undefined and false are no child, but take a position.
// Identity: an element stays if the next drawing describes an element of the same name and `key` among its siblings.
// Without a key the position among the siblings decides. An element that stays keeps its focus, caret, selection,
// scroll position, unfolded state and a pending press. A description that is the same object as before is not compared.
// Owned: the elements and texts of descriptions, their described attributes and their listeners. The first drawing
// replaces what the page brought. `value` and `checked` are as described after every drawing.
// Left alone: attributes and siblings that others add, and the content of an element described without children.

const SVG = "http://www.w3.org/2000/svg";
/** Name of the description of a text. */
const TEXT = "#text";
/** Properties that the reader changes, by their names and types. */
const LIVE = { value: String, checked: Boolean };

/** The last drawing of each place, and the described attributes of each element. */
const drawings = new WeakMap();
const described = new WeakMap();

const isNothing = (value) => value === null || value === undefined || value === false;

/** Returns the children as descriptions with keys. The key of a child without a key is its position. */
const keyed = (children, path = "") => children.flatMap((child, at) => {
  if (isNothing(child)) return [];
  if (Array.isArray(child)) return keyed(child, `${path}/${at}`);
  const from = typeof child === "object" ? child : { name: TEXT, text: String(child) };
  return [{ from, key: from.key ?? `${path}/${at}` }];
});

/** Calls the listener of the current description. */
function hear(event) {
  return described.get(this)[`on${event.type}`]?.call(this, event);
}

function set(element, name, value, before) {
  if (name in LIVE) {
    const next = LIVE[name](isNothing(value) ? "" : value);
    if (element[name] !== next) element[name] = next;
  } else if (value === before) return;
  else if (name.startsWith("on")) element.addEventListener(name.slice(2), hear);
  else if (name === "defaultValue") element.defaultValue = value;
  else if (isNothing(value)) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

function create({ name, text }, place) {
  if (name === TEXT) return document.createTextNode(text);
  return name === "svg" || place.namespaceURI === SVG
    ? document.createElementNS(SVG, name)
    : document.createElement(name);
}

/** Brings an element or a text to its description. Returns the drawn children. */
function update(element, { name: kind, text, attributes, children }, match) {
  if (kind === TEXT) {
    if (match && match.from.text !== text) element.data = text;
    return [];
  }
  const before = match?.from.attributes ?? {};
  described.set(element, attributes);
  for (const name of Object.keys(before)) if (!(name in attributes)) set(element, name, null, before[name]);
  for (const [name, value] of Object.entries(attributes)) if (!(name in LIVE)) set(element, name, value, before[name]);
  const next = patch(element, match?.children ?? [], children);
  // A list of choices takes its value after its choices.
  for (const name of Object.keys(LIVE)) if (name in attributes) set(element, name, attributes[name]);
  return next;
}

/**
 * Brings the children of a place to their descriptions. Returns the drawn children, each
 * `{ element, from, key, children }`.
 */
function patch(place, drawn, descriptions) {
  const left = [...drawn];
  const next = keyed(descriptions);
  const matches = next.map(({ from: { name }, key }) => {
    const index = left.findIndex((child) => child.key === key && child.from.name === name);
    return index < 0 ? null : left.splice(index, 1)[0];
  });
  for (const { element } of left) element.remove();
  let [last, previous] = [-1, null];
  return next.map(({ from, key }, at) => {
    const match = matches[at];
    const element = match?.element ?? create(from, place);
    const child = match?.from === from ? match : { element, from, key, children: update(element, from, match) };
    const position = match ? drawn.indexOf(match, last + 1) : -1;
    if (position < 0) place.insertBefore(element, previous ? previous.nextSibling : place.firstChild);
    else last = position;
    previous = element;
    return child;
  });
}

/** Draws into a place. */
export function draw(place, ...children) {
  const drawn = drawings.get(place);
  if (!drawn) place.replaceChildren();
  drawings.set(place, patch(place, drawn ?? [], children));
}

/** Creates the element of a description, for callers that insert it themselves. */
export function made(description) {
  const place = document.createElement("div");
  draw(place, description);
  return place.firstElementChild;
}
