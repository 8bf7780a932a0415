// What this browser keeps for the visitor. Without storage it holds as long as the page.

const [ON, OFF] = ["on", "off"];

/** Returns the text that is kept under a name, or null; `store` is of the browser or of a tab. */
export function kept(name, store = () => localStorage) {
  try {
    return store().getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under a name; null forgets it. */
export function keep(name, text, store = () => localStorage) {
  try {
    if (text === null) store().removeItem(name);
    else store().setItem(name, text);
  } catch {
    // The storage of this frame is blocked or full.
  }
}

/** Remembers what a visitor has switched on or off. */
export class Preference {
  /** `name` is what it is kept under; `on` whether it is on until it is touched. */
  constructor(name, on = false) {
    this.name = name;
    this.on = (kept(name) ?? (on ? ON : OFF)) === ON;
  }

  /** Switches it, and keeps that for the next page. */
  toggle(on = !this.on) {
    this.on = on;
    keep(this.name, on ? ON : OFF);
  }
}
