// Texts that this browser keeps for the visitor. Without storage they last as long as the page.

const [ON, OFF] = ["on", "off"];

/** Returns the text under a name, or null. `store` is the storage of the browser or of a tab. */
export function kept(name, store = () => localStorage) {
  try {
    return store().getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under a name. Null removes it. */
export function keep(name, text, store = () => localStorage) {
  try {
    if (text === null) store().removeItem(name);
    else store().setItem(name, text);
  } catch {
    // The storage of this frame is blocked or full.
  }
}

/** Remembers if a visitor has switched something on. */
export class Preference {
  /** Takes the name in the storage, and the default. */
  constructor(name, on = false) {
    this.name = name;
    this.on = (kept(name) ?? (on ? ON : OFF)) === ON;
  }

  /** Switches the preference, and keeps it for the next page. */
  toggle(on = !this.on) {
    this.on = on;
    keep(this.name, on ? ON : OFF);
  }
}
