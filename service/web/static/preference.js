// Something that a visitor switches on or off, and that stays so in this browser; off at first.

const [ON, OFF] = ["on", "off"];

const kept = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

export class Preference {
  /** `name` is what it is kept under. */
  constructor(name) {
    this.name = name;
    this.on = kept(name) === ON;
  }

  /** Switches it, and keeps that for the next page. */
  toggle() {
    this.on = !this.on;
    try {
      localStorage.setItem(this.name, this.on ? ON : OFF);
    } catch {
      // Then it holds for this page alone.
    }
  }
}
