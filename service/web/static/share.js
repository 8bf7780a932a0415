// The ways to pass a link on. A link to a seat holds a secret: what is made of it is made here.

import { h, picture, svg } from "./dom.js";
import { link } from "./seats.js";

/** Modules of white that a QR code needs around it (ISO/IEC 18004). */
const MARGIN = 4;

const button = (text, key, label, onclick) =>
  h("button", { type: "button", class: "quiet", "data-key": key, "aria-label": label, onclick: ({ currentTarget }) => onclick(currentTarget) }, text);

/** A button that copies a link. */
export const copyButton = ({ say }, text, key, address, label = null) =>
  button(text, key, label, (pressed) => copy(pressed, address, say));

/** The buttons for the link to a player's seat. */
export function seatButtons(table, name, at, token) {
  const { kept, say } = table;
  const address = link(kept.id, at, token);
  return [
    copyButton(table, say("copy_seat"), `copy-${at}`, address, say("copy_seat_of", { name })),
    navigator.share ? button(say("share_seat"), `share-${at}`, say("share_seat_of", { name }), (pressed) => share(pressed, address)) : null,
    button(say("code"), `code-${at}`, say("code_of", { name }), (pressed) => showCode(pressed, address, say)),
  ];
}

/** Puts the link in the place of a button, selected. */
function select(pressed, address) {
  const field = h("input", { class: "link", readonly: true, value: address, "aria-label": pressed.textContent });
  pressed.replaceWith(field);
  field.focus();
  field.select();
  return field;
}

/** Copies a link and says so on the button; where no page may, the link is shown, to be copied by hand. */
async function copy(pressed, address, say) {
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    const field = select(pressed, address);
    // On plain http there is no clipboard, but a selection can be copied.
    if (!document.execCommand("copy")) return;
    field.replaceWith(pressed);
    pressed.focus();
  }
  const before = pressed.textContent;
  pressed.textContent = say("copied");
  setTimeout(() => (pressed.textContent = before), 1600);
}

/** Hands a link to the system, which asks where to; to go back there is no fault. */
async function share(pressed, url) {
  try {
    await navigator.share({ title: document.title, url });
  } catch ({ name }) {
    if (name !== "AbortError") select(pressed, url);
  }
}

/** Shows the QR code of a link over the page; if what draws it cannot be had, the link itself. */
async function showCode(pressed, address, say) {
  const title = pressed.getAttribute("aria-label");
  const code = await drawn(address, title).catch(() => null);
  if (code) open(code, title, pressed.dataset.key, say);
  else select(pressed, address);
}

/** Opens a code over the page; the button of this key, which may be drawn anew meanwhile, has the focus afterwards. */
function open(code, title, key, say) {
  const closed = () => {
    dialog.remove();
    document.querySelector(`[data-key="${key}"]`)?.focus();
  };
  // The keys of the table rest while it is open.
  const dialog = h("dialog", { class: "code", "aria-labelledby": "code-title", onclose: closed, onkeydown: (event) => event.stopPropagation() },
    h("h2", { id: "code-title" }, title),
    code,
    h("button", { type: "button", class: "quiet", "data-key": "close-code", onclick: () => dialog.close() }, say("close")));
  document.querySelector("dialog.code")?.close();
  document.body.append(dialog);
  dialog.showModal();
}

/** A text as a QR code. */
async function drawn(text, label) {
  const { encode } = await import("./vendor/uqr/index.mjs");
  const { data, size } = encode(text, { border: MARGIN });
  const dark = data.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x} ${y}h1v1h-1z`] : [])));
  return picture(`0 0 ${size} ${size}`, "modules", label, svg("path", { d: dark.join("") }));
}
