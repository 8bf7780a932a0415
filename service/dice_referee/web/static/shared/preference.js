// Something that a visitor switches on or off, and that stays so in this browser.

const [ON, OFF] = ["on", "off"];

const kept = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

export class Preference {
  /** `name` is what it is kept under; `on` whether it is on until it is touched. */
  constructor(name, on = false) {
    this.name = name;
    this.on = (kept(name) ?? (on ? ON : OFF)) === ON;
  }

  /** Switches it, and keeps that for the next page. */
  toggle(on = !this.on) {
    this.on = on;
    try {
      localStorage.setItem(this.name, on ? ON : OFF);
    } catch {
      // Then it holds for this page alone.
    }
  }
}
