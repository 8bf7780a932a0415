// The ways to share a link. A link to a seat holds a secret, so its QR code is drawn in the browser.

import { opened } from "./bar.js";
import { h, picture } from "../shared/dom.js";
import { made } from "../shared/patch.js";
import { reachable } from "../shared/seats.js";

/** Modules of white that surround a QR code (ISO/IEC 18004). */
const MARGIN = 4;

/**
 * Returns a factory of buttons that share a link. `name` is the link's owner or purpose, and `key` identifies the
 * button.
 */
const wayOn = ({ announcer, say }, name, key, address, kind = "quiet") => (what, text, pass) =>
  h("button", {
    type: "button", class: kind, "data-key": `${what}-${key}`, "aria-label": [text, name].join(say("colon")),
    onclick: ({ currentTarget }) => pass(currentTarget, address, say, announcer),
  }, text);

const sharing = (button, say) => (navigator.share ? button("share", say("hand_on"), share) : null);

/** Returns the buttons for a link. A loopback address can only be copied. */
export function linkButtons(table, name, key, address) {
  const { say } = table;
  const button = wayOn(table, name, key, address);
  return [
    button("copy", say("copy_link"), copy),
    ...(reachable() ? [sharing(button, say), button("code", say("code"), showCode)] : []),
  ];
}

/** Returns the other ways to share a link, the most convenient first. */
export function waysOn(table, { name, key, address }, kind) {
  const button = wayOn(table, name, key, address, kind);
  return [
    reachable() ? sharing(button, table.say) : null, button("copy", table.say("copy_link"), copy),
  ].filter(Boolean);
}

/** Replaces a button by a field with the selected link, until the reader leaves the field. */
function select(pressed, address) {
  const field = made(h("input", {
    class: "link", readonly: true, value: address, "aria-label": pressed.textContent,
    onblur: () => document.hasFocus() && back(field, pressed),
  }));
  pressed.before(field);
  pressed.hidden = true;
  field.focus();
  field.select();
  return field;
}

/** Shows a button again in place of its field. */
function back(field, pressed) {
  pressed.hidden = false;
  field.remove();
}

/**
 * Copies a link, and confirms it on the button and in an announcement. Without access to the clipboard shows the
 * link.
 */
async function copy(pressed, address, say, announcer) {
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    select(pressed, address);
    // Plain http has no clipboard, but a selection can be copied.
    if (!document.execCommand("copy")) return;
    pressed.hidden = false;
    pressed.focus();
  }
  const { firstChild: text } = pressed;
  const before = text.data;
  text.data = say("copied");
  announcer.repeat([say("copied")]);
  setTimeout(() => (text.data = before), 1600);
}

/** Opens the system's share dialog. Ignores its cancellation. */
async function share(pressed, url) {
  try {
    await navigator.share({ title: document.title, url });
  } catch ({ name }) {
    if (name !== "AbortError") select(pressed, url);
  }
}

/** Shows the QR code of a link over the page, or the link if the encoder cannot be loaded. */
async function showCode(pressed, address, say) {
  const title = pressed.getAttribute("aria-label");
  const modules = await modulesOf(address).catch(() => null);
  if (modules) open(codeOf(modules, title), title, pressed.dataset.key, say);
  else select(pressed, address);
}

/** Opens a QR code over the page. Closing it focuses the button with this key, which may be a new element. */
function open(code, title, key, say) {
  const closed = () => {
    release();
    dialog.remove();
    document.querySelector(`[data-key="${key}"]`)?.focus();
  };
  // The dialog blocks the keys of the table.
  const dialog = made(h("dialog", {
    class: "code", "aria-labelledby": "code-title", onclose: closed, onkeydown: (event) => event.stopPropagation(),
  },
    h("h2", { id: "code-title" }, title),
    code,
    h("button", { type: "button", class: "quiet", "data-key": "close-code", onclick: () => dialog.close() },
      say("close"))));
  document.querySelector("dialog.code")?.close();
  document.body.append(dialog);
  dialog.showModal();
  const release = opened(() => dialog.close());
}

/** Returns the modules of the QR code of a text, `{ size, path }`. */
export async function modulesOf(text) {
  const { encode } = await import("../vendor/uqr/index.mjs");
  const { data, size } = encode(text, { border: MARGIN });
  const dark = data.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join("") };
}

/** Draws a QR code. */
export const codeOf = ({ size, path }, label) =>
  picture(`0 0 ${size} ${size}`, "modules", label, h("path", { d: path }));
